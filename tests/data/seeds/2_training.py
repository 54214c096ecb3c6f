n = MLP(3, [4, 4, 1])

xs = [
    [2.0, 3.0, -1.0],
    [3.0, -1.0, 0.5],
    [0.5, 1.0, 1.0],
    [1.0, 1.0, -1.0],
]
ys = [1.0, -1.0, -1.0, 1.0]

for epoch in range(20):
    # Forward pass
    ypred = [n(x) for x in xs]
    loss = sum((yp - yt)**2 for yt, yp in zip(ys, ypred))
    # Zero gradients, then backward pass
    for p in n.parameters():
        p.grad = 0.0
    loss.backward()
    # Update: step opposite to gradient direction
    for p in n.parameters():
        p.data += -0.05 * p.grad
    print(epoch, loss)
