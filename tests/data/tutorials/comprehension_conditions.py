xs = [Value(float(i), label=f'x{i}') for i in range(-2, 4)]
positive = [x for x in xs if x.data > 0]
signs = [1 if x.data > 0 else -1 for x in xs]
grid = [[i * j for j in range(3)] for i in range(1, 3)]
flat = [g for row in grid for g in row if g % 2 == 0]
total = sum(s * x**2 for s, x in zip(signs, xs) if x.data != 0)
total.label = 'total'
total.backward()
print(len(positive), signs, flat)
print(total.data, [x.grad for x in xs])
