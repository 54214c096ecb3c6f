# kind: class
class Value:
    def __init__(self, data):
        self.data = data
        self.grad = None

a = Value(1.0)
print(a.grad, a.grad is None)
a.grad = 2.0
print(a.grad)
