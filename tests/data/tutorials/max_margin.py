import random
import numpy as np
from micrograd.engine import Value
from micrograd.nn import MLP

np.random.seed(1337)
random.seed(1337)

X = [[0.0, 1.2], [1.5, -0.4], [-0.8, 0.3], [1.0, 0.9]]
y = [1, -1, 1, -1]
model = MLP(2, [4, 4, 1])
print("number of parameters", len(model.parameters()))

def loss():
    inputs = [list(map(Value, xrow)) for xrow in X]
    scores = list(map(model, inputs))

    # the margin: a score on the right side by 1 or more costs nothing
    losses = [(1 + -yi*scorei).relu() for yi, scorei in zip(y, scores)]
    data_loss = sum(losses) * (1.0 / len(losses))
    # keep the parameters small
    alpha = 1e-4
    reg_loss = alpha * sum((p*p for p in model.parameters()))
    total_loss = data_loss + reg_loss

    accuracy = [(yi > 0) == (scorei.data > 0) for yi, scorei in zip(y, scores)]
    return total_loss, sum(accuracy) / len(accuracy)

for k in range(100):
    total_loss, acc = loss()

    model.zero_grad()
    total_loss.backward()

    learning_rate = 1.0 - 0.9*k/100
    for p in model.parameters():
        p.data -= learning_rate * p.grad

    if k % 10 == 0:
        print(f"step {k} loss {total_loss.data:.6f}, accuracy {acc*100}%")
