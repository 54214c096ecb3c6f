"""What is imported into the snapshot, and runs inside alone."""
