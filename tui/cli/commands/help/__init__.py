"""What the words and the program mean: metrics, rules, manual page, completion."""
