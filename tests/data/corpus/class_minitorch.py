# kind: class
import random
from typing import Any, Iterable, List, Tuple
from dataclasses import dataclass
from typing_extensions import Protocol

def central_difference(f: Any, *vals: Any, arg: int = 0, epsilon: float = 1e-6) -> Any:
    v1 = list(vals)
    v2 = list(vals)
    v1[arg] += epsilon
    v2[arg] -= epsilon
    return (f(*v1) - f(*v2)) / (2 * epsilon)

variable_count = 1

class Variable(Protocol):
    def accumulate_derivative(self, x: Any) -> None:
        pass
    @property
    def unique_id(self) -> int:
        pass
    def is_leaf(self) -> bool:
        pass

def topological_sort(variable) -> Iterable[Variable]:
    order = []
    seen = set()
    def visit(var):
        if var.unique_id in seen or var.is_constant():
            return
        if not var.is_leaf():
            for m in var.parents:
                if not m.is_constant():
                    visit(m)
        seen.add(var.unique_id)
        order.insert(0, var)
    visit(variable)
    return order

def backpropagate(variable, deriv) -> None:
    queue = topological_sort(variable)
    derivatives = {}
    derivatives[variable.unique_id] = deriv
    for var in queue:
        deriv = derivatives[var.unique_id]
        if var.is_leaf():
            var.accumulate_derivative(deriv)
        else:
            for v, d in var.chain_rule(deriv):
                if v.is_constant():
                    continue
                derivatives.setdefault(v.unique_id, 0.0)
                derivatives[v.unique_id] = derivatives[v.unique_id] + d

@dataclass
class Context:
    no_grad: bool = False
    saved_values: Tuple[Any, ...] = ()
    def save_for_backward(self, *values: Any) -> None:
        if self.no_grad:
            return
        self.saved_values = values
    @property
    def saved_tensors(self):
        return self.saved_values

@dataclass
class ScalarHistory:
    last_fn: Any = None
    ctx: Any = None
    inputs: Any = ()

class Scalar:
    def __init__(self, v, back=ScalarHistory(), name=None):
        global variable_count
        variable_count += 1
        self.unique_id = variable_count
        self.data = float(v)
        self.history = back
        self.derivative = None
        self.name = name if name is not None else str(self.unique_id)
    def __repr__(self): return "Scalar(%f)" % self.data
    def __mul__(self, b): return Mul.apply(self, b)
    def __add__(self, b): return Add.apply(self, b)
    def __bool__(self): return bool(self.data)
    def __lt__(self, b): return LT.apply(self, b)
    def __neg__(self): return Neg.apply(self)
    def __sub__(self, b): return Add.apply(self, -b if isinstance(b, Scalar) else Scalar(-b))
    def __radd__(self, b): return self + b
    def __rmul__(self, b): return self * b
    def accumulate_derivative(self, x):
        assert self.is_leaf(), "Only leaf variables can have derivatives."
        if self.derivative is None:
            self.derivative = 0.0
        self.derivative += x
    def is_leaf(self): return self.history is not None and self.history.last_fn is None
    def is_constant(self): return self.history is None
    @property
    def parents(self): return self.history.inputs
    def chain_rule(self, d_output):
        h = self.history
        assert h is not None and h.last_fn is not None and h.ctx is not None
        grads = h.last_fn._backward(h.ctx, d_output)
        return list(zip(h.inputs, grads))
    def backward(self, d_output=None):
        if d_output is None:
            d_output = 1.0
        backpropagate(self, d_output)

class ScalarFunction:
    @classmethod
    def _backward(cls, ctx, d_out):
        r = cls.backward(ctx, d_out)
        return r if isinstance(r, tuple) else (r,)
    @classmethod
    def apply(cls, *vals):
        raw_vals, scalars = [], []
        for v in vals:
            if isinstance(v, Scalar):
                scalars.append(v); raw_vals.append(v.data)
            else:
                scalars.append(Scalar(v)); raw_vals.append(v)
        ctx = Context(False)
        c = cls.forward(ctx, *raw_vals)
        assert isinstance(c, float), f"Expected return type float got {type(c)}"
        return Scalar(c, ScalarHistory(cls, ctx, scalars))

class Add(ScalarFunction):
    @staticmethod
    def forward(ctx, a, b): return a + b
    @staticmethod
    def backward(ctx, d): return d, d
class Mul(ScalarFunction):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b); return a * b
    @staticmethod
    def backward(ctx, d):
        a, b = ctx.saved_values; return b * d, a * d
class Neg(ScalarFunction):
    @staticmethod
    def forward(ctx, a): return -a
    @staticmethod
    def backward(ctx, d): return -d
class LT(ScalarFunction):
    @staticmethod
    def forward(ctx, a, b): return 1.0 if a < b else 0.0
    @staticmethod
    def backward(ctx, d): return 0.0, 0.0

a, b = Scalar(2.5, name="a"), Scalar(-1.0, name="b")
c = a * b + a * a - 3 * b
c.backward()
print(c, a.derivative, b.derivative, a.name, c.name)
print(central_difference(lambda x, y: x*y + x*x - 3*y, 2.5, -1.0))
print(bool(a < b), a < b, bool(b < a))
try:
    Add.apply(1, 2)
except AssertionError as e:
    print("AssertionError", e)
print(Context(saved_values=(1, 2)), ScalarHistory())
try:
    c.accumulate_derivative(1)
except AssertionError as err:
    print(err)
