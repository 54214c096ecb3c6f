# kind: lecture
class Value:
    def __init__(self, data):
        self.data = data
    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data)
    def __repr__(self):
        return f'Value({self.data})'

a = Value(2.0)
print(a * 3)
try:
    print(3 * a)
except TypeError as e:
    print('TypeError:', e)

def rmul(self, other):
    return self * other
Value.__rmul__ = rmul
print(3 * a)
