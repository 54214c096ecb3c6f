a = Value(2.0)
b = Value(-3.0)
c = Value(10.0)
d = a + b
e = d * c
