# kind: class
class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
    def __iadd__(self, other):
        self.data += other
        return self
    def __isub__(self, other):
        self.data -= other
        return self
    def __imul__(self, other):
        self.data *= other
        return self

w = Value(1.0)
same = w
w += 2.0
w -= 0.5
w *= 4
print(w.data, same is w, same.data)
