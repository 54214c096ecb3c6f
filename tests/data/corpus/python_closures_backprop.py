# kind: python
def variable(x):
    grad = 0.0
    def value():
        return x
    def pull(g):
        nonlocal grad
        grad += g
    def gradient():
        return grad
    return value, pull, gradient

def times(a, b):
    def value():
        return a[0]() * b[0]()
    def pull(g):
        a[1](g * b[0]())
        b[1](g * a[0]())
    return value, pull, None

x = variable(3.0)
y = variable(-2.0)
z = times(times(x, y), x)
z[1](1.0)
print(z[0](), x[2](), y[2]())
