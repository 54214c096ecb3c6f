# kind: torch
import torch, math
class Value:
    def __init__(self, data, prev=(), op=''):
        self.data = data; self.grad = 0; self.prev = prev; self.op = op; self.bw = lambda: None
    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data + o.data, (self, o), '+')
        def bw():
            self.grad += out.grad; o.grad += out.grad
        out.bw = bw
        return out
    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data * o.data, (self, o), '*')
        def bw():
            self.grad += o.data * out.grad; o.grad += self.data * out.grad
        out.bw = bw
        return out
    def sigmoid(self):
        s = 1 / (1 + math.exp(-self.data))
        out = Value(s, (self,), 's')
        def bw(): self.grad += s * (1 - s) * out.grad
        out.bw = bw
        return out
    def backward(self):
        order, seen = [], set()
        def go(v):
            if id(v) in seen: return
            seen.add(id(v))
            for p in v.prev: go(p)
            order.append(v)
        go(self)
        self.grad = 1.0
        for v in reversed(order): v.bw()
w = [Value(0.3), Value(-0.7)]; b = Value(0.1)
x = [1.5, -2.0]
z = w[0] * x[0] + w[1] * x[1] + b
s = z.sigmoid()
L = (s + -1.0) * (s + -1.0)
L.backward()
tw = torch.tensor([0.3, -0.7], dtype=torch.float64, requires_grad=True)
tb = torch.tensor(0.1, dtype=torch.float64, requires_grad=True)
tx = torch.tensor(x, dtype=torch.float64)
tL = (torch.sigmoid(tw @ tx + tb) - 1) ** 2
tL.backward()
print(L.data, tL.item(), tL)
for mine, theirs in zip([w[0].grad, w[1].grad, b.grad], tw.grad.tolist() + [tb.grad.item()]):
    print(f"{mine:.10f} {theirs:.10f} {'OK' if math.isclose(mine, theirs, rel_tol=1e-9) else 'MISMATCH'}")
print(tw.grad, tb.grad)
