"""Training runs. `python -m seegrad.training SPEC.json` prints one as JSON (`-`: standard input).

A spec that is refused makes the command exit with 2 and print the reason on standard error.
"""

import sys

from engine.runs.run import run, train
from engine.runs.sweep import sweep
from engine.training.__main__ import main
from engine.training.spec import SpecError, TrainSpec

__all__ = ["SpecError", "TrainSpec", "run", "sweep", "train"]

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
