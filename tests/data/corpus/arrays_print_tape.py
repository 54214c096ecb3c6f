# kind: arrays
import numpy as np
class Var:
    tape = []
    def __init__(self, val, name=''):
        self.val, self.name, self.grad = val, name, 0
    def __mul__(self, o):
        r = Var(self.val * o.val, f'({self.name}*{o.name})')
        Var.tape.append((r, self, o, 'mul'))
        return r
    def __add__(self, o):
        r = Var(self.val + o.val, f'({self.name}+{o.name})')
        Var.tape.append((r, self, o, 'add'))
        return r
def exp(v):
    r = Var(np.exp(v.val), f'exp({v.name})')
    Var.tape.append((r, v, None, 'exp'))
    return r
def backward(out):
    out.grad = 1.0
    for r, a, b, op in reversed(Var.tape):
        if op == 'mul':
            a.grad += b.val * r.grad
            b.grad += a.val * r.grad
        elif op == 'add':
            a.grad += r.grad
            b.grad += r.grad
        else:
            a.grad += r.val * r.grad
x, y = Var(0.5, 'x'), Var(2.0, 'y')
z = exp(x * y) + x
backward(z)
print(z.name, z.val)
print(x.grad, y.grad)
print(len(Var.tape), [t[3] for t in Var.tape])
