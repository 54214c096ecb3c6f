a = Value(2.0)
a # Python will internally use the __repr__ function to return the string "Value(data={self.data})"

b = Value(-3.0)
c = Value(10.0)
print('a + b =',a + b) # Python will internally call a.__add__(b) (other = b and self =a)
d = a*b +c # equivalent to (a.__mul__(b)).__add__(c)
print('d = a*b +c =',d)
