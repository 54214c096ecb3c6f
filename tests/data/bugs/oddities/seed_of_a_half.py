class Node:
    def __init__(self, val, args=(), grads=()):
        self.val, self.grad, self.args, self.grads = val, 0.0, args, grads

    def __mul__(self, other):
        return Node(self.val * other.val, (self, other), (other.val, self.val))

    def __add__(self, other):
        return Node(self.val + other.val, (self, other), (1, 1))

    def backward(self):
        seen, order = set(), []

        def visit(n):
            if n in seen:
                return
            seen.add(n)
            for a in n.args:
                visit(a)
            order.append(n)

        visit(self)
        for n in reversed(order):
            for a, g in zip(n.args, n.grads):
                a.grad += n.grad * g


x = Node(1.5)
y = Node(-2.0)
z = x * y
u = z + x
L = u * z
L.grad = 0.5
L.backward()
print(x.grad, y.grad, z.grad, u.grad)
