class Quantity:
    def __init__(self, amount):
        self.amount = amount
        self.grad = 0.0
        self.partials = {}

    def __mul__(self, other):
        out = Quantity(self.amount * other.amount)
        out.note(self, other.amount)
        out.note(other, self.amount)
        return out

    def __add__(self, other):
        out = Quantity(self.amount + other.amount)
        out.note(self, 1.0)
        out.note(other, 1.0)
        return out

    def note(self, source, partial):
        self.partials[source] = self.partials.get(source, 0.0) + partial

    def cube(self):
        out = Quantity(self.amount ** 3)
        out.note(self, 3 * self.amount ** 2)
        return out


def chain(output):
    waiting = {}

    def count(q):
        for s in q.partials:
            if s in waiting:
                waiting[s] += 1
            else:
                waiting[s] = 1
                count(s)

    count(output)
    output.grad = 1.0
    ready = [output]
    while ready:
        q = ready.pop()
        for s, partial in q.partials.items():
            s.grad += q.grad * partial
            waiting[s] -= 1
            if not waiting[s]:
                ready.append(s)


m = Quantity(-1.3)
n = Quantity(2.2)
o = m * m
p = o + o * n
q = p.cube() + p
r = q * o + n
chain(r)
print(m.grad, n.grad, o.grad, p.grad, q.grad)
