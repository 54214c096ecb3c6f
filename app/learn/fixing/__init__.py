"""Exercises of the debugger: a class with one mistake, to be found and fixed."""
