"""The standard library in the snapshot: a program can import what is there, and nothing else."""

import importlib

# What is useful without files, network, screen or a second process. The snapshot is written back
# after every run: each megabyte costs a tenth of a millisecond.
MODULES = (
    "abc argparse array ast asyncio base64 binascii bisect builtins calendar cmath codecs"
    " collections.abc colorsys concurrent.futures contextlib contextvars copy copyreg csv"
    " dataclasses datetime decimal difflib dis doctest enum errno fnmatch fractions functools gc"
    " getopt getpass glob graphlib gzip hashlib heapq hmac html html.parser importlib.util"
    " inspect io itertools json keyword linecache locale logging math numbers operator os.path"
    " pathlib pdb pickle pkgutil platform pprint profile pstats queue random re reprlib secrets"
    " select shlex shutil signal socket stat statistics string string.templatelib struct"
    " symtable sys tempfile textwrap threading time timeit token tokenize tomllib traceback"
    " tracemalloc types typing unicodedata unittest urllib.parse uuid warnings weakref zlib"
)
CODECS = "ascii cp1252 cp437 idna latin_1 utf_16 utf_16_be utf_16_le utf_32 utf_8 utf_8_sig"


def import_all() -> None:
    """Import what there is on this platform."""
    for name in (*MODULES.split(), *(f"encodings.{codec}" for codec in CODECS.split())):
        try:
            importlib.import_module(name)
        except ImportError:  # it needs what there is not: an operating system, a library in C
            continue
