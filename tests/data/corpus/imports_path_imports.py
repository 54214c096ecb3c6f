# kind: imports
import os, sys
sys.path.append('..')
sys.path.insert(0, os.path.abspath('.'))
from engine import Value
a = Value(2.0, label='a')
b = Value(-3.0, label='b')
c = a * b + a
c.backward()
print(a.grad, b.grad)
