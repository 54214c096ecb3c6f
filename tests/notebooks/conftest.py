"""`make notebooks`: tests that need Jupyter, in an environment of their own."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("nbconvert") else ["test_*.py"]
