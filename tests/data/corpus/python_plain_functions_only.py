# kind: python
import math

def sigmoid(x):
    return 1 / (1 + math.exp(-x))

def loss(w, b):
    return (sigmoid(w*2.0 + b) - 1.0)**2

w, b = 0.5, -0.5
h = 1e-5
for i in range(4):
    dw = (loss(w + h, b) - loss(w - h, b)) / (2*h)
    db = (loss(w, b + h) - loss(w, b - h)) / (2*h)
    w, b = w - dw, b - db
    print(f"{i} {loss(w, b):.6f} {w:.6f} {b:.6f}")
