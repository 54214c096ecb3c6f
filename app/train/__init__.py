"""Train: a training run of a network, step by step."""
