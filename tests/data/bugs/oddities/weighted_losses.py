class Node:
    def __init__(self, val, args=(), grads=()):
        self.val, self.grad, self.args, self.grads = val, 0.0, args, grads

    def __mul__(self, other):
        return Node(self.val * other.val, (self, other), (other.val, self.val))

    def __sub__(self, other):
        return Node(self.val - other.val, (self, other), (1, -1))

    def backward(self, seed=1.0):
        order = []

        def visit(n):
            if n in order:
                return
            for a in n.args:
                visit(a)
            order.append(n)

        visit(self)
        for n in order:
            if n.args:
                n.grad = 0.0
        self.grad = seed
        for n in reversed(order):
            for a, g in zip(n.args, n.grads):
                a.grad += n.grad * g


w = Node(0.3)
x1, y1 = Node(2.0), Node(1.0)
x2, y2 = Node(-1.0), Node(0.5)
e1 = w * x1 - y1
e2 = w * x2 - y2
l1 = e1 * e1
l2 = e2 * e2
l1.backward(0.25)
l2.backward(0.25)
print(w.grad, x2.grad, e2.grad)
