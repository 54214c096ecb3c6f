"""The component's exports: the guest's two functions, and its surroundings set up once."""

import gc
import sys
from collections.abc import Callable

from componentize_py_types import Err

from engine.sandbox.inside import libraries, output, plain, reals, refusals

reals.set_up()
output.set_up()
libraries.import_all()
refusals.set_up()


def _guest() -> tuple[Callable[[str], str], Callable[[], None]]:
    from seegrad_guest import handle, warm  # written by scripts.sandbox

    return handle, warm


_handle, _warm = _guest()
refusals.end_imports()
_warm()
output.connect()
reals.connect()
gc.collect()
gc.freeze()  # what is in the snapshot is never garbage


class WitWorld:
    def handle(self, request: str) -> str:
        return _reply(_handle, request)

    def execute(self, program: str) -> str:
        return _reply(plain.execute, program)


def _reply(function: Callable[[str], str], text: str) -> str:
    sys.argv = [plain.FILE]  # where a snapshot is taken up again there are no arguments
    try:
        return output.sendable(function(text))
    except MemoryError:
        raise Err("memory") from None
    except BaseException as error:  # the guest's own: it reports those of programs
        raise Err(output.sendable(f"{type(error).__name__}: {error}")) from None
