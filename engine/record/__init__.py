"""The record of a program's run, and the recorder that writes it while CPython runs the program."""
