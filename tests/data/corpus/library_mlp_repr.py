# kind: library
import random
from micrograd.nn import MLP

random.seed(1337)
model = MLP(2, [4, 4, 1])
print(model)
print("number of parameters", len(model.parameters()))
