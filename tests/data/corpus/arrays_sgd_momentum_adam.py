# kind: arrays
import numpy as np
def grad(p):
    return np.array([2*p[0], 20*p[1]])
p = np.array([5.0, 1.0])
v = np.zeros(2)
for t in range(10):
    v = 0.9*v - 0.01*grad(p)
    p = p + v
print('momentum', p)
p = np.array([5.0, 1.0])
m, s = np.zeros(2), np.zeros(2)
b1, b2, eps = 0.9, 0.999, 1e-8
for t in range(1, 11):
    g = grad(p)
    m = b1*m + (1-b1)*g
    s = b2*s + (1-b2)*g**2
    mh = m/(1-b1**t)
    sh = s/(1-b2**t)
    p -= 0.1*mh/(np.sqrt(sh)+eps)
print('adam', p)
traj = [p.copy() for _ in range(3)]
traj = np.array(traj)
print(traj.shape, traj[:, 0])
