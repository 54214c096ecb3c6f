# kind: lecture
def g(x):
    return x**3 - x

x = 2.0
for k in range(1, 8):
    h = 10**-k
    print(k, h, (g(x+h) - g(x))/h)
