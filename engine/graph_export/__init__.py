"""Exports of a trace: its graph as a program for other libraries, and as a derivation."""
