"""The entailment model that ships: its material, training and figures."""
