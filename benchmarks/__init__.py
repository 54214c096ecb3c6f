"""The benchmarks behind docs/figures.md: `python -m benchmarks [PART…]`."""
