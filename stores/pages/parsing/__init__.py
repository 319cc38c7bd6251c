"""What readers of several formats share: text encoding, metadata, records, archives."""
