"""What is left after kills, full disks, damage, hostile input, without a network."""
