"""The claim stepper."""
