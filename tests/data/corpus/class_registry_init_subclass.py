# kind: class
import math

REGISTRY = {}

def register(name, arity=2):
    def wrap(cls):
        cls.name, cls.arity = name, arity
        REGISTRY[name] = cls
        return cls
    return wrap

class Op:
    name = "?"
    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.calls = 0
    @classmethod
    def __class_getitem__(cls, key):
        return REGISTRY[key]

@register("add")
class Add(Op):
    @staticmethod
    def f(a, b): return a + b
    @staticmethod
    def df(a, b): return 1.0, 1.0

@register("mul")
class Mul(Op):
    @staticmethod
    def f(a, b): return a * b
    @staticmethod
    def df(a, b): return b, a

@register("exp", arity=1)
class Exp(Op):
    @staticmethod
    def f(a): return math.exp(a)
    @staticmethod
    def df(a): return (math.exp(a),)

class Node:
    def __init__(self, value, op=None, parents=()):
        self.value, self.op, self.parents, self.grad = value, op, parents, 0.0
    def __repr__(self):
        return f"{self.__class__.__name__}({self.value:.3f}, op={self.op.name if self.op else None})"

def call(name, *nodes):
    op = REGISTRY[name]
    assert len(nodes) == op.arity, f"{name} takes {op.arity} arguments, got {len(nodes)}"
    op.calls += 1
    return Node(op.f(*[n.value for n in nodes]), op, nodes)

def backprop(root):
    def order(n, acc):
        if n not in acc:
            for p in n.parents: order(p, acc)
            acc.append(n)
        return acc
    root.grad = 1.0
    for n in reversed(order(root, [])):
        if n.op is None: continue
        for p, d in zip(n.parents, n.op.df(*[q.value for q in n.parents])):
            p.grad += n.grad * d

x, y = Node(0.5), Node(2.0)
z = call("add", call("mul", x, y), call("exp", x))
backprop(z)
print(z, x, z.parents)
print(f"{x.grad:.6f} {y.grad:.6f}")
print({name: cls.calls for name, cls in sorted(REGISTRY.items())})
try:
    call("exp", x, y)
except AssertionError as e:
    print("AssertionError:", e)
