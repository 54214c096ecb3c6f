"""The modules of the standard library that a program can import: those that are in the snapshot."""

import importlib

NAMES = (
    "__future__ abc argparse array ast asyncio base64 bdb binascii bisect builtins bz2 cProfile "
    "calendar cmath cmd code codecs codeop collections collections.abc colorsys "
    "concurrent.futures configparser contextlib contextvars copy copyreg csv ctypes dataclasses "
    "datetime decimal difflib dis doctest email email.message enum errno faulthandler fileinput "
    "fnmatch fractions functools gc getopt getpass gettext glob graphlib gzip hashlib heapq "
    "hmac html html.parser http http.client imaplib importlib.metadata importlib.resources "
    "importlib.util inspect io ipaddress itertools json json.tool keyword linecache locale "
    "logging logging.config logging.handlers lzma marshal math mimetypes multiprocessing netrc "
    "numbers opcode operator optparse os os.path pathlib pdb pickle pickletools pkgutil "
    "platform plistlib poplib posixpath pprint profile pstats py_compile pyclbr pydoc queue "
    "quopri random re reprlib sched secrets select selectors shelve shlex shutil signal site "
    "smtplib socket socketserver sqlite3 ssl stat statistics string string.templatelib "
    "stringprep struct subprocess symtable sys sysconfig tarfile tempfile textwrap threading "
    "time timeit token tokenize tomllib trace traceback tracemalloc types typing unicodedata "
    "unittest unittest.mock urllib.error urllib.parse urllib.request uuid warnings wave weakref "
    "xml.dom.minidom xml.etree.ElementTree zipfile zlib zoneinfo "
)


def import_all() -> list[str]:
    """Import what there is on this platform; the names of what there is not."""
    missing = []
    for name in NAMES.split():
        try:
            importlib.import_module(name)
        except (ImportError, NotImplementedError, OSError):
            missing.append(name)
    return missing
