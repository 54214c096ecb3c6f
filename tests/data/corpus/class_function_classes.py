# kind: class
from abc import ABC, abstractmethod
import math

class Context:
    def __init__(self):
        self.saved = ()
    def save_for_backward(self, *args):
        self.saved = args

class Function(ABC):
    registry = {}

    def __init_subclass__(cls, op=None, **kwargs):
        super().__init_subclass__(**kwargs)
        Function.registry[op or cls.__name__.lower()] = cls

    @staticmethod
    @abstractmethod
    def forward(ctx, *xs): ...

    @staticmethod
    @abstractmethod
    def backward(ctx, g): ...

    @classmethod
    def apply(cls, *inputs):
        ctx = Context()
        raw = [i.data if isinstance(i, Scalar) else i for i in inputs]
        out = Scalar(cls.forward(ctx, *raw))
        out._ctx = ctx
        out._fn = cls
        out._inputs = [i for i in inputs if isinstance(i, Scalar)]
        return out

class Mul(Function, op="*"):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved
        return g * b, g * a

class Add(Function, op="+"):
    @staticmethod
    def forward(ctx, a, b):
        return a + b
    @staticmethod
    def backward(ctx, g):
        return g, g

class Exp(Function):
    @staticmethod
    def forward(ctx, a):
        r = math.exp(a)
        ctx.save_for_backward(r)
        return r
    @staticmethod
    def backward(ctx, g):
        (r,) = ctx.saved
        return g * r,

class Scalar:
    _ctx = _fn = None
    _inputs: list = []
    def __init__(self, data):
        self.data = data
        self.grad = 0
    def __add__(self, o): return Add.apply(self, o)
    def __mul__(self, o): return Mul.apply(self, o)
    def exp(self): return Exp.apply(self)
    def backward(self, g=1.0):
        self.grad += g
        if self._fn is None:
            return
        for inp, gi in zip(self._inputs, self._fn.backward(self._ctx, g)):
            inp.backward(gi)
    def __repr__(self):
        fn = f", fn={self._fn.__name__}" if self._fn else ""
        return f"Scalar({self.data:.5f}{fn})"

x, y = Scalar(1.5), Scalar(-0.5)
z = (x * y + x).exp()
z.backward()
print(z, x.grad, y.grad)
print(sorted(Function.registry))
for k, v in Function.registry.items():
    print(f"{k:>5} -> {v.__name__}")
try:
    Function()
except TypeError as e:
    print("TypeError:", e)
class Half(Function):
    @staticmethod
    def forward(ctx, a): return a / 2
try:
    Half()
except TypeError as e:
    print("TypeError:", e)
