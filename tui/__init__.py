"""The two faces, Textual app and command line, and the wiring behind them."""
