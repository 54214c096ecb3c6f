"""The command `seegrad`, also `python -m seegrad`: the server, or `run script.py`."""

import sys

RUN = "run"


def main() -> int:
    """Serve, or run a script and write a page of its pass."""
    if sys.argv[1:2] == [RUN]:
        from seegrad.notebook.run import main as run

        return run(sys.argv[2:])
    from app.__main__ import main as serve

    return serve()


if __name__ == "__main__":
    sys.exit(main())
