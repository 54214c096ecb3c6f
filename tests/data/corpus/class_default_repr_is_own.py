# kind: class
class Value:
    def __init__(self, data, label=''):
        self.data = data
        self.label = label
        self.grad = 0.0
    def __str__(self):
        return f"{self.label}={self.data}"
    def __repr__(self):
        return f"Value({self.data!r}, {self.label!r})"

a = Value(1.0, 'a')
print(a)
print([a])
print(f"{a} {a!r}", str(a), repr(a))
