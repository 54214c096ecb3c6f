# kind: torch
import torch
a = torch.tensor([2.0], requires_grad=True)
b = torch.tensor([3.0], requires_grad=True)
c = a * b
c.retain_grad()
d = c.sum() * 2
d.backward(retain_graph=True)
print(c.grad, a.grad, b.grad)
d.backward()
print(a.grad)
with torch.no_grad():
    e = a * 2
print(e.requires_grad, e)
print(a.detach(), a.detach().requires_grad)
f = torch.tensor([1., 2., 3.], requires_grad=True)
(f ** 2).backward(torch.ones(3))
print(f.grad)
print(torch.autograd.grad((f**3).sum(), f))
