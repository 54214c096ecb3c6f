"""Test my class: a program's own class on programs that its author has not seen."""
