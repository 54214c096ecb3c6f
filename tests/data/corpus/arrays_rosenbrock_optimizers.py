# kind: arrays
import numpy as np

def rosenbrock(p):
    x, y = p
    return (1 - x)**2 + 100 * (y - x**2)**2

def grad(p):
    x, y = p
    return np.array([-2*(1-x) - 400*x*(y - x**2), 200*(y - x**2)])

class SGD:
    def __init__(self, lr): self.lr = lr
    def step(self, p, g): return p - self.lr * g

class Momentum(SGD):
    def __init__(self, lr, beta=0.9):
        super().__init__(lr); self.beta = beta; self.v = 0
    def step(self, p, g):
        self.v = self.beta * self.v + g
        return p - self.lr * self.v

class Adam(SGD):
    def __init__(self, lr, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(lr)
        self.b1, self.b2 = betas
        self.eps = eps
        self.m = np.zeros(2); self.v = np.zeros(2); self.t = 0
    def step(self, p, g):
        self.t += 1
        self.m = self.b1 * self.m + (1 - self.b1) * g
        self.v = self.b2 * self.v + (1 - self.b2) * g**2
        mh = self.m / (1 - self.b1**self.t)
        vh = self.v / (1 - self.b2**self.t)
        return p - self.lr * mh / (np.sqrt(vh) + self.eps)

for opt in (SGD(1e-3), Momentum(1e-4), Adam(0.05)):
    p = np.array([-1.2, 1.0])
    path = [p.copy()]
    for i in range(100):
        p = opt.step(p, grad(p))
        path.append(p)
    path = np.array(path)
    print(type(opt).__name__, p, rosenbrock(p), path.shape)
    print("   closest: %.4f at %d" % (np.linalg.norm(path - 1, axis=1).min(), np.linalg.norm(path - 1, axis=1).argmin()))
