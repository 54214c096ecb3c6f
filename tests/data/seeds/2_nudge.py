def f(x):
    return 3*x**2 - 4*x + 5
h = 0.00000001
x = 2/3
(f(x + h) - f(x)) / h # => ~0.0
