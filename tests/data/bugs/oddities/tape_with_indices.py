import math


class Tape:
    def __init__(self):
        self.rows = []

    def variable(self, value):
        return self.push(value, ())

    def push(self, value, links):
        self.rows.append(links)
        return Variable(self, len(self.rows) - 1, value)


class Variable:
    def __init__(self, tape, index, value):
        self.tape = tape
        self.index = index
        self.value = value
        self.grad = 0.0

    def __add__(self, other):
        return self.tape.push(self.value + other.value, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        links = ((self, other.value), (other, self.value))
        return self.tape.push(self.value * other.value, links)

    def sin(self):
        return self.tape.push(math.sin(self.value), ((self, math.cos(self.value)),))

    def differentiate(self):
        self.grad = 1.0
        rows = self.tape.rows
        made = {self.index: self}
        for index in range(self.index, -1, -1):
            node = made.get(index)
            if node is None:
                continue
            for source, weight in rows[index]:
                source.grad += weight * node.grad
                made[source.index] = source


tape = Tape()
x = tape.variable(0.6)
y = tape.variable(4.2)
m = x * y
z = m + x.sin()
w = z * m
w.differentiate()
print(x.grad, y.grad, m.grad, z.grad)
