"""What the README's figures come from: `python -m benchmarks`, or one part of it by name."""
