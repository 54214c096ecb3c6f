"""Fuzzers; run by `make fuzz`."""
