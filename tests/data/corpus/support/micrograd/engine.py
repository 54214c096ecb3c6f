"""micrograd's Value by its documented behaviour: + * ** relu; the rest is made of these."""


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0
        self._prev = set(_children)
        self._op = _op
        self._order = tuple(_children)
        self._backward = lambda: None

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other):
        other = _lift(other)
        out = Value(self.data + other.data, (self, other), "+")

        def pull():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = pull
        return out

    def __mul__(self, other):
        other = _lift(other)
        out = Value(self.data * other.data, (self, other), "*")

        def pull():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = pull
        return out

    def __pow__(self, power):
        assert isinstance(power, (int, float)), "only supporting int/float powers for now"
        out = Value(self.data**power, (self,), f"**{power}")

        def pull():
            self.grad += (power * self.data ** (power - 1)) * out.grad

        out._backward = pull
        return out

    def relu(self):
        out = Value(0 if self.data < 0 else self.data, (self,), "ReLU")

        def pull():
            self.grad += (out.data > 0) * out.grad

        out._backward = pull
        return out

    def backward(self):
        order, seen = [], set()

        def visit(value):
            if value not in seen:
                seen.add(value)
                for child in value._order:
                    visit(child)
                order.append(value)

        visit(self)
        self.grad = 1
        for value in reversed(order):
            value._backward()

    def __neg__(self):
        return self * -1

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return other + (-self)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return other * self**-1


def _lift(x):
    return x if isinstance(x, Value) else Value(x)
