# kind: construct
class N:
    def __init__(self, v): self.v = v
    def __add__(self, o): return N(self.v + (o.v if isinstance(o, N) else o))
    __radd__ = __add__
print(sum([N(1), N(2)]).v)
