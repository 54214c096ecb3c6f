def sigmoid(z):
    return 1 / (1 + (-z).exp())

def log_loss(p, y):
    return -(y * p.log() + (1 - y) * (1 - p).log())

w = Value(0.8, label='w')
b = Value(-0.2, label='b')
points = [(0.5, 0), (1.5, 1), (-1.0, 0)]

losses = []
for x, y in points:
    p = sigmoid(w * x + b)
    losses.append(log_loss(p, y))
loss = sum(losses) / len(losses); loss.label = 'loss'
loss.backward()
print(f"loss {loss.data:.6f}  dw {w.grad:.6f}  db {b.grad:.6f}")
