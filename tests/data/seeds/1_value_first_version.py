class Value:
    def __init__(self, data):
        self.data = data
    def __repr__(self):
        return f"Value(data={self.data})"
    def __add__(self, other):
        out = Value(self.data + other.data)
        return out
    def __mul__(self, other):
        out = Value(self.data * other.data)
        return out

a = Value(2.0)
a # Python will internally use the __repr__ function to return the string "Value(data={self.data})"

b = Value(-3.0)
c = Value(10.0)
print('a + b =',a + b) # Python will internally call a.__add__(b) (other = b and self =a)
d = a*b +c # equivalent to (a.__mul__(b)).__add__(c)
print('d = a*b +c =',d)
