"""The component's exports: the guest's two functions, and its surroundings set up once."""

import gc

from componentize_py_types import Err
from seegrad_guest import handle, warm  # written by scripts.sandbox

from engine.sandbox.inside import libraries, output, reals, refusals

libraries.import_all()
refusals.set_up()
warm()  # while the snapshot is made there is no host: nothing is emitted, and `math` is its own
output.set_up()
reals.set_up()
gc.collect()
gc.freeze()  # what is in the snapshot is never garbage, and its pages stay shared


class WitWorld:
    def handle(self, request: str) -> str:
        try:
            return output.sendable(handle(request))
        except MemoryError:
            raise Err("memory") from None
        except BaseException as error:  # the guest's own: it reports those of programs
            raise Err(output.sendable(f"{type(error).__name__}: {error}")) from None

    def warm(self) -> None:
        warm()
