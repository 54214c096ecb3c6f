from dataclasses import dataclass, field


@dataclass(eq=False, slots=True)
class Value:
    data: float
    inputs: tuple = ()
    partials: tuple = ()
    grad: float = field(default=0.0, repr=False)

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def cube(self):
        return Value(self.data**3, (self,), (3 * self.data**2,))

    def backward(self):
        stack, order, seen = [self], [], set()
        while stack:
            v = stack[-1]
            waiting = [i for i in v.inputs if id(i) not in seen]
            if waiting:
                stack.append(waiting[0])
                continue
            stack.pop()
            if id(v) not in seen:
                seen.add(id(v))
                order.append(v)
        self.grad = 1.0
        for v in reversed(order):
            for i, p in zip(v.inputs, v.partials):
                i.grad += p * v.grad


a = Value(0.5)
b = Value(-2.0)
c = a * b
d = c.cube() + a
e = d * c
e.backward()
print(a.grad, b.grad, c.grad, d.grad)
