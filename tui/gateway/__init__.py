"""What the screens ask of the outside, answered by the files of a workspace."""
