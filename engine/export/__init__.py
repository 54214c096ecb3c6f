"""A training run as a program of its own, for this engine, micrograd and PyTorch."""
