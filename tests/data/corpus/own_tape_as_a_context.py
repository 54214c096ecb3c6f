# kind: class
import math
from contextlib import contextmanager

class Tape:
    current = None
    def __init__(self):
        self.ops = []
    def __enter__(self):
        self._old, Tape.current = Tape.current, self
        return self
    def __exit__(self, *exc):
        Tape.current = self._old
    def gradient(self, target, sources):
        grads = {id(target): 1.0}
        for out, ins in reversed(self.ops):
            g = grads.get(id(out), 0.0)
            for inp, local in ins:
                grads[id(inp)] = grads.get(id(inp), 0.0) + g * local
        return [grads.get(id(s)) for s in sources]

class Var:
    def __init__(self, value): self.value = value
    def _rec(self, value, *ins):
        out = Var(value)
        if Tape.current is not None:
            Tape.current.ops.append((out, ins))
        return out
    def __add__(self, o): return self._rec(self.value + o.value, (self, 1.0), (o, 1.0))
    def __mul__(self, o): return self._rec(self.value * o.value, (self, o.value), (o, self.value))
    def __repr__(self): return f"Var({self.value!r})"

def sin(x): return x._rec(math.sin(x.value), (x, math.cos(x.value)))

@contextmanager
def no_tape():
    old, Tape.current = Tape.current, None
    try:
        yield
    finally:
        Tape.current = old

x, y = Var(2.0), Var(5.0)
with Tape() as tape:
    z = x * y + sin(x)
    with no_tape():
        q = z * z
print(z, len(tape.ops))
dx, dy = tape.gradient(z, [x, y])
print(dx, dy)
print(tape.gradient(q, [x]))
assert math.isclose(dx, 5 + math.cos(2.0))
