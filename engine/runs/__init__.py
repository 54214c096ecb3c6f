"""Execution of specs: single runs, histories and sweeps, on the fastest available backend."""
