"""Train: a network that learns, step by step."""
