"""Imported by programs that never use it."""


class DataFrame:
    pass
