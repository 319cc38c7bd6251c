"""One file a screen; `catalog.py` lists them."""
