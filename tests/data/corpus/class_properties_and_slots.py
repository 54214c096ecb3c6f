# kind: class
class Variable:
    __slots__ = ("_data", "_grad", "_parents")

    def __init__(self, data, parents=()):
        self._data = data
        self._grad = 0.0
        self._parents = parents

    @property
    def data(self):
        return self._data

    @data.setter
    def data(self, x):
        if x != x:
            raise ValueError("nan")
        self._data = x

    @property
    def is_leaf(self):
        return not self._parents

    def __add__(self, other):
        return Variable(self.data + other.data, (self, other))

a = Variable(1.0)
b = a + Variable(2.0)
print(a.is_leaf, b.is_leaf, b.data)
a.data = 5.0
print(a.data)
try:
    a.data = float("nan")
except ValueError as error:
    print("refused:", error)
try:
    a.colour = "red"
except AttributeError:
    print("no such slot")
