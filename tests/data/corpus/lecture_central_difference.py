# kind: lecture
import math

def f(x):
    return math.sin(x) * math.exp(-x)

def df(x):
    return math.exp(-x) * (math.cos(x) - math.sin(x))

x0 = 0.7
for h in [0.1, 0.01, 0.001]:
    forward = (f(x0 + h) - f(x0)) / h
    central = (f(x0 + h) - f(x0 - h)) / (2*h)
    print(f"h={h:<6} forward={forward:.6f} central={central:.6f} true={df(x0):.6f}")
