xs = [1.0, 2.0, 3.0, 4.0]
ys = [3.1, 4.9, 7.2, 8.8]
w = Value(0.0, label='w')
b = Value(0.0, label='b')
lr = 0.02
history = []
for epoch in range(200):
    preds = [w * x + b for x in xs]
    loss = sum((p - y)**2 for p, y in zip(preds, ys)) / len(xs)
    for p in (w, b):
        p.grad = 0
    loss.backward()
    w.data -= lr * w.grad
    b.data -= lr * b.grad
    history.append(loss.data)
print(f"first {history[0]:.4f}, last {history[-1]:.4f}, best {min(history):.4f}")
print(f"y = {w.data:.3f} x + {b.data:.3f}")
