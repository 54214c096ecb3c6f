import math


class Value:
    def __init__(self, data, kids=()):
        self.data = data
        self.grad = 0.0
        self.kids = kids
        self.back = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))

        def back():
            self.grad += out.grad
            other.grad += out.grad

        out.back = back
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))

        def back():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out.back = back
        return out

    def sin(self):
        out = Value(math.sin(self.data), (self,))

        def back():
            self.grad += math.cos(self.data) * out.grad

        out.back = back
        return out

    def backward(self):
        todo, order = [self], []
        while todo:
            v = todo.pop()
            if v in order:
                order.remove(v)
            order.append(v)
            todo.extend(v.kids)
        self.grad = 1.0
        for v in order:
            v.back()


x = Value(0.4)
y = Value(1.9)
best = []
for k in range(3):
    s = x * y
    height = s.sin() + x * x * Value(-0.2)
    height.backward()
    print(k, round(height.data, 5), round(x.grad, 5), round(y.grad, 5))
    best.append((x.grad, y.grad))
    if k < 2:
        for v in (x, y):
            v.data += 0.3 * v.grad
            v.grad = 0.0
