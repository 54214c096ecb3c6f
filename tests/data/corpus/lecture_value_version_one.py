# kind: lecture
class Value:
    def __init__(self, data):
        self.data = data

    def __repr__(self):
        return f"Value(data={self.data})"

    def __add__(self, other):
        return Value(self.data + other.data)

    def __mul__(self, other):
        return Value(self.data * other.data)

a = Value(1.5)
b = Value(-4.0)
c = Value(8.0)
print(a)
print(a + b)
d = a*b + c
d
