"""Explore: a program as its graph, frame by frame."""
