# kind: module
from value import *

a = Value(1.5)
b = Value(-2.0)
print((a*b + 3).data, (a/b).data, (a - b).data)
