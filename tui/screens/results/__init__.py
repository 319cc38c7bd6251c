"""The samples of a run as a list and by quadrants."""
