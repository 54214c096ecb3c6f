def weighted(x, w=2.0, b=0.5, power=1):
    """One line, bent by a power."""
    return (w * x + b) ** power

def slope(f, x, h=1e-5):
    return (f(x + h) - f(x - h)) / (2 * h)

x = Value(1.5, label='x')
y = weighted(x) + weighted(x, w=-1.0, power=2) * weighted(x, 3, power=3); y.label = 'y'
y.backward()
check = slope(lambda t: weighted(t) + weighted(t, w=-1.0, power=2) * weighted(t, 3, power=3), 1.5)
print(f"{y.data:.4f} {x.grad:.4f} {check:.4f}")
