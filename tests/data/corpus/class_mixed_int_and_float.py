# kind: class
class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0
    def __repr__(self):
        return f"Value({self.data})"
    def __add__(self, other):
        return Value(self.data + other.data)
    def __mul__(self, other):
        return Value(self.data * other.data)
    def __truediv__(self, other):
        return Value(self.data / other.data)
    def __pow__(self, k):
        return Value(self.data ** k)

print(Value(2) + Value(3))
print(Value(2) * Value(3.0))
print(Value(6) / Value(3))
print(Value(2) ** 10, Value(2) ** -1, Value(7).grad)
print(Value(10) ** 20)
