"""Runs of a spec: by the fastest way there is, as whole histories, and side by side in a sweep."""
