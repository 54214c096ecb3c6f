"""Predict, then reveal: numbers of a graph as fields to fill in, on the page and on paper."""
