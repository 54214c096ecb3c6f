"""A package of charts that nobody looks at."""

rcParams = {}
