# kind: class
class Scalar:
    def __init__(self, val, parents=(), op=None, name=None):
        self.val = val
        self.gradient = 0
        self.parents = parents
        self.op = op
        self.name = name

    def __add__(self, o):
        return Scalar(self.val + o.val, (self, o), 'add')

    def __mul__(self, o):
        return Scalar(self.val * o.val, (self, o), 'mul')

    def backprop(self, upstream=1):
        self.gradient += upstream
        if self.op == 'add':
            for p in self.parents:
                p.backprop(upstream)
        elif self.op == 'mul':
            l, r = self.parents
            l.backprop(upstream * r.val)
            r.backprop(upstream * l.val)

    def __str__(self):
        return f'<{self.name or self.op}: {self.val} (grad {self.gradient})>'

x = Scalar(3, name='x')
y = Scalar(4, name='y')
z = x*x*y + y
z.backprop()
print(z, x, y, sep='\n')
