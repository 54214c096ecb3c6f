from micrograd.nn import MLP

X = [[0.0, 1.2], [1.5, -0.4], [-0.8, 0.3], [1.0, 0.9]]
y = [1.0, -1.0, 1.0, -1.0]
model = MLP(2, [4, 4, 1])

for k in range(100):
    scores = [model(row) for row in X]
    losses = [(1 - yi * si).relu() for yi, si in zip(y, scores)]
    loss = sum(losses) * (1.0 / len(losses)) + 1e-4 * sum((p*p for p in model.parameters()))
    accuracy = sum([(yi > 0) == (si.data > 0) for yi, si in zip(y, scores)]) / len(y)
    model.zero_grad()
    loss.backward()
    for p in model.parameters():
        p.data -= (1.0 - 0.9*k/100) * p.grad
print(f"loss {loss.data:.4f}, accuracy {accuracy:.0%}")
