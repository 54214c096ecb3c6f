import math


class Unit:
    def __init__(self, value, grad=0.0):
        self.value = value
        self.grad = grad
        self.gate = None

    def __add__(self, other):
        return AddGate().forward(self, other)

    def __mul__(self, other):
        return MulGate().forward(self, other)

    def __sub__(self, other):
        return AddGate().forward(self, MulGate().forward(other, Unit(-1.0)))

    def tanh(self):
        return TanhGate().forward(self)

    def exp(self):
        return ExpGate().forward(self)

    def backward(self):
        self.grad = 1.0
        gates = []

        def collect(u):
            if u.gate is not None and u.gate not in gates:
                for i in u.gate.inputs:
                    collect(i)
                gates.append(u.gate)

        collect(self)
        for g in gates[::-1]:
            g.backward()


class Gate:
    def done(self, value, *inputs):
        self.inputs = inputs
        self.out = Unit(value)
        self.out.gate = self
        return self.out


class AddGate(Gate):
    def forward(self, u, v):
        self.u, self.v = u, v
        return self.done(u.value + v.value, u, v)

    def backward(self):
        self.u.grad += self.out.grad
        self.v.grad += self.out.grad


class MulGate(Gate):
    def forward(self, u, v):
        self.u, self.v = u, v
        return self.done(u.value * v.value, u, v)

    def backward(self):
        self.u.grad += self.v.value * self.out.grad
        self.v.grad += self.u.value * self.out.grad


class TanhGate(Gate):
    def forward(self, u):
        self.u = u
        return self.done(math.tanh(u.value), u)

    def backward(self):
        t = self.out.value
        self.u.grad += (1 - t**2) * self.out.grad


class ExpGate(Gate):
    def forward(self, u):
        self.u = u
        return self.done(math.exp(u.value), u)

    def backward(self):
        self.u.grad += self.out.value * self.out.grad


x = Unit(0.5)
w = Unit(-1.2)
b = Unit(0.3)
n = x * w + b
t = n.tanh()
e = (t - x).exp()
y = e * t * x + e
y.backward()
print(x.grad, w.grad, b.grad)
