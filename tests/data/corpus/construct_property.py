# kind: construct
class P:
    def __init__(self): self._x = 2
    @property
    def x(self): return self._x * 10
print(P().x)
