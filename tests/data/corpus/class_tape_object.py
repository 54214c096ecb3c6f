# kind: class
class Tape:
    def __init__(self):
        self.entries = []
    def record(self, out, pulls):
        self.entries.append((out, pulls))
    def __len__(self):
        return len(self.entries)
    def __iter__(self):
        return reversed(self.entries)
    def __enter__(self):
        Var.tape = self
        return self
    def __exit__(self, *exc):
        Var.tape = None
        return False

class Var:
    tape = None
    def __init__(self, v):
        self.v = v
        self.g = 0.0
    def __mul__(self, o):
        out = Var(self.v * o.v)
        if Var.tape is not None:
            Var.tape.record(out, [(self, o.v), (o, self.v)])
        return out
    def __add__(self, o):
        out = Var(self.v + o.v)
        if Var.tape is not None:
            Var.tape.record(out, [(self, 1.0), (o, 1.0)])
        return out

x, y = Var(3.0), Var(-1.0)
with Tape() as t:
    z = x*y + x*x
z.g = 1.0
for out, pulls in t:
    for node, local in pulls:
        node.g += local * out.g
print(len(t), z.v, x.g, y.g)
