# kind: module
from engine import Value

class Named(Value):
    def __init__(self, data, name):
        super().__init__(data)
        self.name = name
    def describe(self):
        return f"{self.name}: {self.data} ({self.grad})"

a = Named(3.0, "a")
b = Named(-2.0, "b")
c = a * b
c.backward()
print(a.describe(), b.describe())
print(isinstance(a, Value))
