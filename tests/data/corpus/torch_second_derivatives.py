# kind: torch
import torch

# a polynomial and its derivatives
x = torch.tensor(1.5, requires_grad=True)
y = x**3 - 2 * x**2 + x
derivatives = [y]
for order in range(1, 4):
    (d,) = torch.autograd.grad(derivatives[-1], x, create_graph=True)
    derivatives.append(d)
    print(f"derivative {order}: {d.item():.4f}")

# how well sin solves u'' = -u
t = torch.linspace(0, 3, 7, requires_grad=True)
u = torch.sin(t)
du = torch.autograd.grad(u, t, grad_outputs=torch.ones_like(u), create_graph=True)[0]
ddu = torch.autograd.grad(du.sum(), t)[0]
print(torch.allclose(ddu, -u, atol=1e-6), du.shape)

# Newton's method on a function of two numbers
p = torch.tensor([2.0, -1.0], dtype=torch.float64)


def f(v):
    return (v[0] - 1) ** 4 + (v[0] + v[1]) ** 2


for step in range(4):
    q = p.clone().requires_grad_()
    (slope,) = torch.autograd.grad(f(q), q)
    h = torch.autograd.functional.hessian(f, p)
    det = h[0, 0] * h[1, 1] - h[0, 1] * h[1, 0]
    dx = (h[1, 1] * slope[0] - h[0, 1] * slope[1]) / det
    dy = (h[0, 0] * slope[1] - h[1, 0] * slope[0]) / det
    p = p - torch.stack([dx, dy])
    print(step, [round(n, 6) for n in p.tolist()], round(f(p).item(), 8))
