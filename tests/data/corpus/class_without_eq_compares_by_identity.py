# kind: class
class Value:
    def __init__(self, data):
        self.data = data
    def __repr__(self):
        return f"Value(data={self.data})"

a = Value(2.0)
b = Value(2.0)
print(a == b, a == a, a.data == b.data)
print([v for v in (a, b) if v == a])
