# kind: torch
import torch
import numpy as np
print(torch.__version__ > '1.0', np.__version__ > '1.0')
X = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
W = torch.tensor([[0.5, -0.5], [0.25, 0.75]], requires_grad=True)
b = torch.tensor([0.1, -0.1], requires_grad=True)
Z = X @ W.T + b
Z.retain_grad()
A = torch.relu(Z)
A.retain_grad()
L = A.pow(2).mean()
L.backward()
for name, t in dict(X=X, W=W, b=b, Z=Z, A=A).items():
    print(name, t.grad, sep='\n')
print(L)
J = torch.autograd.functional.jacobian(lambda v: v ** 2 + v.sum(), torch.tensor([1., 2.]))
print(J)
H = torch.autograd.functional.hessian(lambda v: (v ** 3).sum(), torch.tensor([1., 2.]))
print(H)
v = torch.tensor([1.0, 0.5, -1.0], requires_grad=True)
y = v * 2
while y.data.norm() < 100:
    y = y * 2
print(y)
y.backward(torch.tensor([0.1, 1.0, 0.0001], dtype=torch.float))
print(v.grad)
print(v.grad.data.numpy(), v.data.numpy().dtype, v.detach().numpy().sum())
try:
    v.numpy()
except RuntimeError as e:
    print(e)
x = torch.tensor(1., requires_grad=True)
try:
    x += 1
except RuntimeError as e:
    print(e)
try:
    x.grad.item()
except AttributeError as e:
    print(e)
try:
    torch.tensor([1, 2], requires_grad=True)
except RuntimeError as e:
    print(e)
try:
    torch.ones(2, 3) @ torch.ones(2, 3)
except RuntimeError as e:
    print(e)
