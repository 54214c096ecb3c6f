# kind: module
import engine as eng
from nn import MLP as Network
import random

random.seed(2)
v = eng.Value(2.0)
w = v**3
w.backward()
print(w.data, v.grad)
print(len(Network(2, [2, 1]).parameters()))
