# kind: module
from src import engine, nn
import random

random.seed(8)
x = [engine.Value(1.0), engine.Value(-2.0)]
net = nn.MLP(2, [2, 1])
y = net(x)
y.backward()
print(f"{y.data:.7f} {x[0].grad:.7f} {x[1].grad:.7f}")
