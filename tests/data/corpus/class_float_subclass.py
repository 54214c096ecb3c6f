# kind: class
class Tracked(float):
    """a float that remembers"""
    def __new__(cls, value, name="?"):
        self = super().__new__(cls, value)
        self.name = name
        return self
    def __add__(self, o): return Tracked(float(self) + float(o), f"({self.name}+{getattr(o, 'name', o)})")
    def __mul__(self, o): return Tracked(float.__mul__(self, o), f"{self.name}*{getattr(o, 'name', o)}")
    __radd__ = __add__
    def __repr__(self): return f"{self.name}={float(self):.3f}"
class Singleton:
    _inst = None
    def __new__(cls, *a, **k):
        if cls._inst is None:
            cls._inst = super().__new__(cls)
            print("created")
        return cls._inst
    def __init__(self, v=0): self.v = v
x, y = Tracked(2.5, "x"), Tracked(4, "y")
print(x*y + 1, x + y, 3 + x, x.name, x > y, max(x, y), f"{x:.1f}", isinstance(x, float))
print(sum([x, y]), sorted([y, x]), x == 2.5, hash(x) == hash(2.5), round(x), int(y))
s, t = Singleton(1), Singleton(2)
print(s is t, s.v)
class Point(tuple):
    def __new__(cls, x, y): return tuple.__new__(cls, (x, y))
    @property
    def x(self): return self[0]
    def __add__(self, o): return Point(self[0]+o[0], self[1]+o[1])
print(Point(1, 2) + Point(3, 4), Point(5, 6).x)
class Node:
    count = 0
    def __new__(cls, *args):
        cls.count += 1
        obj = object.__new__(cls)
        obj.id = cls.count
        return obj
    def __init__(self, v): self.v = v
print([Node(i).id for i in "abc"], Node.count)
