# kind: python
class Value:
    def __init__(self, data, parents=(), op='', label=''):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self.op = op
        self.label = label
    def __add__(self, other): return Value(self.data + other.data, (self, other), '+')
    def __mul__(self, other): return Value(self.data * other.data, (self, other), '*')
    def __sub__(self, other): return Value(self.data - other.data, (self, other), '-')

    def step(self):
        match self.op, self.parents:
            case '+', (a, b):
                a.grad += self.grad
                b.grad += self.grad
            case '-', (a, b):
                a.grad += self.grad
                b.grad -= self.grad
            case '*', (a, b):
                a.grad += b.data * self.grad
                b.grad += a.data * self.grad
            case '', ():
                pass
            case _:
                raise ValueError(f"bad op {self.op}")

def to_rpn(tokens):
    prec = {'+': 1, '-': 1, '*': 2}
    out, stack = [], []
    for t in tokens:
        if t in prec:
            while stack and stack[-1] != '(' and prec[stack[-1]] >= prec[t]:
                out.append(stack.pop())
            stack.append(t)
        elif t == '(':
            stack.append(t)
        elif t == ')':
            while stack[-1] != '(':
                out.append(stack.pop())
            stack.pop()
        else:
            out.append(t)
    return out + stack[::-1]

def run(rpn, env):
    stack = []
    history = []
    for t in rpn:
        if t in '+-*':
            b, a = stack.pop(), stack.pop()
            v = {'+': lambda: a + b, '-': lambda: a - b, '*': lambda: a * b}[t]()
        else:
            v = env[t] if t in env else Value(float(t))
        stack.append(v)
        history.append(v)
    return stack.pop(), history

env = {c: Value(x, label=c) for c, x in dict(a=2.0, b=-3.0, c=10.0, f=-2.0).items()}
rpn = to_rpn("( a * b + c ) * f - 1".split())
print(' '.join(rpn))
L, history = run(rpn, env)
L.grad = 1.0
for v in reversed(history):
    v.step()
print(L.data)
print({k: v.grad for k, v in env.items()})
