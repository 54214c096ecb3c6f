"""The record of a run: what a program computed and wrote, as plain data, and its text before."""
