# kind: library
import random
from micrograd.engine import Value
from micrograd.nn import Neuron, Layer, MLP

random.seed(1)
model = MLP(2, [4, 1])
X = [[0.5, 1.0], [-1.0, 0.25], [1.5, -0.5], [-0.5, -1.0]]
y = [1, -1, 1, -1]

def loss():
    inputs = [list(map(Value, row)) for row in X]
    scores = list(map(model, inputs))
    losses = [(1 + -yi*si).relu() for yi, si in zip(y, scores)]
    data_loss = sum(losses) * (1.0 / len(losses))
    alpha = 1e-4
    reg_loss = alpha * sum((p*p for p in model.parameters()))
    total_loss = data_loss + reg_loss
    accuracy = [(yi > 0) == (si.data > 0) for yi, si in zip(y, scores)]
    return total_loss, sum(accuracy) / len(accuracy)

for k in range(4):
    total_loss, acc = loss()
    model.zero_grad()
    total_loss.backward()
    learning_rate = 1.0 - 0.9*k/100
    for p in model.parameters():
        p.data -= learning_rate * p.grad
    print(f"step {k} loss {total_loss.data:.8f}, accuracy {acc*100}%")
