"""Training: data sets, losses, optimizers, the spec of a run, and the reference training loop."""
