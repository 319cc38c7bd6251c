"""What people said of claims, and the machine held against it."""
