# kind: class
from __future__ import annotations
import math
from typing import TypeVar, Generic, Any, Final
from numbers import Number
T = TypeVar("T", bound="Value")
EPS: Final = 1e-12

class Stack(Generic[T]):
    def __init__(self) -> None:
        self._items: list[T] = []
    def push(self, item: T) -> None: self._items.append(item)
    def pop(self) -> T:
        if not self._items:
            raise IndexError("pop from empty stack")
        return self._items.pop()
    def __len__(self): return len(self._items)
    def __bool__(self): return bool(self._items)
    def __reversed__(self): return reversed(self._items)
    def __contains__(self, x): return any(x is i for i in self._items)

class Value:
    def __init__(self, data: Number, parents: tuple[Value, ...] = (), grad_fn=None):
        if not isinstance(data, Number):
            raise TypeError(f"expected a number, not {type(data).__name__!r}")
        self.data, self.parents, self.grad_fn, self.grad = data, parents, grad_fn, 0.
    def __getattr__(self, name: str) -> Any:
        fn = getattr(math, name, None)
        if name.startswith("_") or fn is None:
            raise AttributeError(f"Value has no attribute {name!r}")
        def call():
            h = 1e-6
            local = (fn(self.data + h) - fn(self.data - h)) / (2 * h)
            return Value(fn(self.data), (self,), lambda g: (g * local,))
        return call
    def __mul__(self, o):
        if not isinstance(o, Value):
            if isinstance(o, Number): o = Value(o)
            else: return NotImplemented
        return Value(self.data * o.data, (self, o), lambda g: (g * o.data, g * self.data))
    __rmul__ = __mul__
    def backward(self):
        s = Stack(); order = []; seen = set()
        def dfs(v):
            if id(v) in seen: return
            seen.add(id(v))
            for p in v.parents: dfs(p)
            s.push(v)
        dfs(self)
        self.grad = 1.
        while s:
            v = s.pop()
            if v.grad_fn:
                for p, g in zip(v.parents, v.grad_fn(v.grad)): p.grad += g
x = Value(0.5)
y = x.sin() * x.exp() * 2
y.backward()
print(f"{y.data:.6f} {x.grad:.4f} {2*math.exp(.5)*(math.sin(.5)+math.cos(.5)):.4f}")
for bad in (lambda: Value("3"), lambda: x * "a", lambda: x.foo, lambda: Stack().pop()):
    try:
        bad()
    except (TypeError, AttributeError, IndexError) as e:
        print(f"{type(e).__name__}: {e}")
st = Stack(); st.push(x); print(x in st, y in st, len(st), [v.data for v in reversed(st)])
