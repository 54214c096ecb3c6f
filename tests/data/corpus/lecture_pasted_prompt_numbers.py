# kind: lecture
def f(x):
    return 3*x**2 - 4*x + 5
f(3.0)

h = 0.001
x = -3.0
(f(x+h) - f(x))/h
print(type(h))
print(type(f(3)))
f(20.0)
