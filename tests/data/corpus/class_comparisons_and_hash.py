# kind: class
class Value:
    def __init__(self, data):
        self.data = data
    def __eq__(self, other):
        return isinstance(other, Value) and self.data == other.data
    def __hash__(self):
        return hash(self.data)
    def __lt__(self, other):
        return self.data < (other.data if isinstance(other, Value) else other)
    def __gt__(self, other):
        return self.data > (other.data if isinstance(other, Value) else other)
    def __repr__(self):
        return f"<{self.data}>"

values = [Value(3.0), Value(-1.0), Value(2.0), Value(3.0)]
print(sorted(values))
print(max(values), min(values))
print(len(set(values)), values[0] == values[3], values[0] is values[3])
print(values[1] < 0, Value(2.0) in values)
