"""The graph of an object that a caller holds, in the caller's Python: read, never changed."""
