"""Training: what a run can choose from, its spec, its samples, and the textbook loop."""
