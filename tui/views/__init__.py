"""What screens and commands say of a workspace, its models and settings, built once."""
