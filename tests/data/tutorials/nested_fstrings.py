width = 10
a = Value(2.0, label='a')
b = Value(-3.0, label='b')
c = a * b; c.label = 'c'
c.backward()
print(f"{'name':<6}|{'data':>{width}}|{'grad':^10}|")
print("-" * 29)
for name, v in zip('abc', [a, b, c]):
    print(f"{name:<6}|{v.data:>{width}.3f}|{v.grad:^+10.2f}|")
print(f"all: {[f'{v.data:.1f}' for v in (a, b, c)]} -> {c.data:,.2f} {c.data:e} {7:03d} {0.256:.1%}")
