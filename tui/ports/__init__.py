"""What the screens ask of the outside, as Protocols and plain records."""
