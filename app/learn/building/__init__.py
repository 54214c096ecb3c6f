"""The reader's own engine, written piece by piece along the course."""
