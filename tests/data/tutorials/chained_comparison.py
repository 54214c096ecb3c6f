x = Value(0.3, label='x')
y = x * 1.0
for k in range(8):
    if 0 < y.data < 1:
        y = y * 3
    elif y.data >= 2 and k % 2 == 0:
        y = (y - 1).relu()
    elif not y.data < 0:
        y = y + x
        continue
    else:
        break
y.label = 'y'
y.backward()
inside = -1 <= x.grad <= 20
print(round(y.data, 6), round(x.grad, 6), inside)
