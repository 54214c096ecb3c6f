"""The measurements behind docs/figures.md: `python -m benchmarks`, or one part of it by name."""
