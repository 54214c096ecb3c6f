# kind: library
import random
import math
from micrograd.engine import Value
from micrograd.nn import Neuron

gates = {
    'AND': [0, 0, 0, 1],
    'OR': [0, 1, 1, 1],
    'NAND': [1, 1, 1, 0],
}
inputs = [(0, 0), (0, 1), (1, 0), (1, 1)]

for gate, targets in gates.items():
    random.seed(0)
    n = Neuron(2, nonlin=False)
    for epoch in range(15):
        loss = sum((n(x) - t) ** 2 for x, t in zip(inputs, targets))
        n.zero_grad()
        loss.backward()
        for p in n.parameters():
            p.data -= 0.1 * p.grad
    preds = [1 if n(x).data > 0.5 else 0 for x in inputs]
    print(f"{gate:5} loss={loss.data:.4f} preds={preds} {'✓' if preds == targets else '✗'}")
    print("   ", n, [round(p.data, 3) for p in n.parameters()])
