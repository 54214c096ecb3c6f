"""Explore: a program's computation graph, frame by frame."""
