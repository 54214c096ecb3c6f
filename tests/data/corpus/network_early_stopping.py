# kind: network
import random
from micrograd.engine import Value
from micrograd.nn import MLP

random.seed(1)
f = lambda x: 0.5 * x + 0.2
train = [(x / 5, f(x / 5) + random.uniform(-.05, .05)) for x in range(-5, 6, 2)]
valid = [(x / 5, f(x / 5)) for x in range(-4, 5, 4)]
net = MLP(1, [3, 1])
print(net)
print("number of parameters", len(net.parameters()))

def mse(rows):
    return sum((net([x]) - y) ** 2 for x, y in rows) / len(rows)

best, patience = float("inf"), 0
history = {"train": [], "valid": []}
for epoch in range(1, 101):
    loss = mse(train)
    net.zero_grad()
    loss.backward()
    for p in net.parameters():
        p.data -= 0.1 * p.grad
    v = mse(valid).data
    history["train"].append(loss.data); history["valid"].append(v)
    if v < best - 1e-4:
        best, patience = v, 0
    else:
        patience += 1
        if patience == 5:
            print(f"stopped after {epoch} epochs, best {best:.6f}")
            break
else:
    print(f"never stopped, best {best:.6f}")
print({k: f"{xs[0]:.4f} -> {xs[-1]:.4f}" for k, xs in history.items()})
