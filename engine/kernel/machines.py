"""The machines of a run: an instance of the generated code for each shape among its segments."""

from __future__ import annotations

from collections import OrderedDict

from engine.training.samples import Samples
from engine.training.segments import Segment
from engine.wasm.instance import Instance

from .layout import Layout, Shape
from .memory import begin, fill, shape_of, taken_over
from .module import program

MOST = 3
"""The greatest number of instances that a run keeps."""


class KernelMachine:
    """The code of one shape with its memory."""

    def __init__(self, shape: Shape, segment: Segment, training: Samples, test: Samples) -> None:
        made = program(shape)
        self.shape = shape
        self.layout: Layout = made.layout
        self.instance = Instance(made.code)
        fill(self.instance, self.layout, segment, training, test)


class Machines:
    """The machines of a run, the least recently used of them dropped."""

    def __init__(self, training: Samples, test: Samples) -> None:
        self._training, self._test = training, test
        self._kept: OrderedDict[Shape, KernelMachine] = OrderedDict()

    def at_begin(self, segment: Segment) -> KernelMachine:
        """A machine with the settings of a segment; its parameters are to be written."""
        shape = shape_of(segment.settings, len(self._training), len(self._test))
        machine = self._kept.get(shape)
        if machine is None:
            machine = KernelMachine(shape, segment, self._training, self._test)
        else:
            begin(machine.instance, machine.layout, segment)
        self._kept[shape] = machine
        self._kept.move_to_end(shape)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return machine

    def after(self, machine: KernelMachine, segment: Segment) -> KernelMachine:
        """The machine of a segment, with the state at the end of the segment before it."""
        state = machine.instance.read(0, machine.layout.saved)
        found = self.at_begin(segment)
        for source, target, size in taken_over(machine.layout, found.layout, segment):
            found.instance.write(target, state[source : source + size])
        found.instance.call("spread")
        return found

    @property
    def size(self) -> int:
        """The memory of all machines in bytes."""
        return sum(machine.instance.size for machine in self._kept.values())
