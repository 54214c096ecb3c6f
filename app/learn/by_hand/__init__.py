"""Backward passes on whole arrays, written line by line and judged."""
