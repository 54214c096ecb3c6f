# kind: class
from abc import ABC, abstractmethod

class Node(ABC):
    def __init__(self):
        self.grad = 0.0

    @abstractmethod
    def value(self):
        ...

    @abstractmethod
    def push(self, upstream):
        ...

class Const(Node):
    def __init__(self, x):
        super().__init__()
        self.x = x
    def value(self):
        return self.x
    def push(self, upstream):
        self.grad += upstream

class Sum(Node):
    def __init__(self, *parts):
        super().__init__()
        self.parts = parts
    def value(self):
        return sum(p.value() for p in self.parts)
    def push(self, upstream):
        self.grad += upstream
        for p in self.parts:
            p.push(upstream)

class Product(Node):
    def __init__(self, left, right):
        super().__init__()
        self.left, self.right = left, right
    def value(self):
        return self.left.value() * self.right.value()
    def push(self, upstream):
        self.grad += upstream
        self.left.push(upstream * self.right.value())
        self.right.push(upstream * self.left.value())

a, b, c = Const(2), Const(3), Const(4)
expr = Product(Sum(a, b), c)
expr.push(1)
print(expr.value(), a.grad, b.grad, c.grad)
print(isinstance(expr, Node), issubclass(Sum, Node))
