"""Exercises on the numbers of a trace: what is asked, how it is judged, which hints there are."""
