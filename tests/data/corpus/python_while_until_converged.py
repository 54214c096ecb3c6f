# kind: python
x = 5.0
steps = 0
while True:
    grad = 2*(x - 1)
    if abs(grad) < 1e-3:
        break
    x -= 0.25*grad
    steps += 1
else:
    print("never")
print(steps, x)
while steps > 0:
    steps //= 2
else:
    print("halved to", steps)
