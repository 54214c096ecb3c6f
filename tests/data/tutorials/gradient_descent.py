x = Value(0.0, label='x')
for k in range(20):
    loss = (x - 3) ** 2 + 1
    x.grad = 0.0
    loss.backward()
    x.data -= 0.1 * x.grad
    if k % 5 == 0:
        print(f"{k:2d} loss {loss.data:.4f} x {x.data:.4f}")
print(f"x = {x.data:.4f}")
