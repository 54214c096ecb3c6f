# kind: lecture
class Value:
    def __init__(self, data):
        self.data = data
    def __add__(self, other):
        return Value(self.data + other.data)
    def __mul__(self, other):
        return Value(self.data * other.data)

def bump(which, h=0.0001):
    inputs = {'a': 2.0, 'b': -5.0, 'c': 12.0, 'f': -1.5}
    def run(numbers):
        a, b, c, f = (Value(numbers[k]) for k in 'abcf')
        return ((a*b + c) * f).data
    before = run(inputs)
    inputs[which] += h
    return (run(inputs) - before) / h

for name in 'abcf':
    print(name, round(bump(name), 4))
