"""What measures that which is claimed of the program, one script a figure.

Run from the root: `python -m benchmarks.speed.rates`.
"""
