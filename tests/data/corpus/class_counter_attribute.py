# kind: class
class Value:
    count = 0

    def __init__(self, data, op="leaf"):
        self.data = data
        self.op = op
        Value.count += 1
        self.number = Value.count

    def __add__(self, other):
        return Value(self.data + other.data, "+")

    def __mul__(self, other):
        return Value(self.data * other.data, "*")

    @classmethod
    def reset(cls):
        cls.count = 0

    @classmethod
    def zero(cls):
        return cls(0.0)

y = Value(1.0) + Value(2.0) * Value(3.0)
print(y.data, y.number, Value.count)
Value.reset()
print(Value.zero().number)
