pairs = [(1.0, 2.0), (3.0, -1.0), (0.5, 4.0)]
(a, b), *rest = pairs
first, last = pairs[0], pairs[-1]
a, b = Value(a, label='a'), Value(b, label='b')
a.data, b.data = b.data, a.data
total = 0.0
for i, (p, q) in enumerate(pairs, start=1):
    total += i * (a * p + b * q)
total.label = 'total'
total.backward()
print(len(rest), first, last[0])
print(a.data, b.data, total.data)
print(f"{a.grad} {b.grad}")
