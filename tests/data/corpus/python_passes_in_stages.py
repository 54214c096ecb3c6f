# kind: python
# Backpropagation explained with a tiny example
# forward pass: f = (x + y) * z
x, y, z = -2, 5, -4
q = x + y
f = q * z
print(f"q = {q}, f = {f}")

# backward pass, reverse order
dfdz = q           # df/dz = q
dfdq = z           # df/dq = z
dfdx = dfdq * 1.0  # dq/dx = 1, chain rule
dfdy = dfdq * 1.0
print("df/dx =", dfdx)
print("df/dy =", dfdy)
print("df/dz =", dfdz)

import math

# a 2D neuron with sigmoid
w = [2, -3, -3]
x = [-1, -2]
dot = w[0]*x[0] + w[1]*x[1] + w[2]
f = 1.0 / (1 + math.exp(-dot))
ddot = (1 - f) * f
dx = [w[0] * ddot, w[1] * ddot]
dw = [x[0] * ddot, x[1] * ddot, 1.0 * ddot]
print('dx', dx)
print('dw', dw)

# staged computation
x = 3
y = -4
sigy = 1.0 / (1 + math.exp(-y))
num = x + sigy
sigx = 1.0 / (1 + math.exp(-x))
xpy = x + y
xpysqr = xpy**2
den = sigx + xpysqr
invden = 1.0 / den
f = num * invden
print('f', f)

dnum = invden
dinvden = num
dden = (-1.0 / (den**2)) * dinvden
dsigx = (1) * dden
dxpysqr = (1) * dden
dxpy = (2 * xpy) * dxpysqr
dx = (1) * dxpy
dy = (1) * dxpy
dx += ((1 - sigx) * sigx) * dsigx
dx += (1) * dnum
dsigy = (1) * dnum
dy += ((1 - sigy) * sigy) * dsigy
print('dx %.6f dy %.6f' % (dx, dy))

def numerical(fun, args, i, eps=1e-5):
    hi = list(args); hi[i] += eps
    lo = list(args); lo[i] -= eps
    return (fun(*hi) - fun(*lo)) / (2 * eps)

def fxy(x, y):
    sigmoid = lambda t: 1 / (1 + math.exp(-t))
    return (x + sigmoid(y)) / (sigmoid(x) + (x + y)**2)

for i, (name, analytic) in enumerate([('x', dx), ('y', dy)]):
    n = numerical(fxy, [3, -4], i)
    rel = abs(n - analytic) / max(abs(n), abs(analytic))
    print(f"{name}: numerical {n:.8f} analytic {analytic:.8f} rel err {rel:.1e}")
