# kind: torch
import torch

x1 = torch.Tensor([2.0]).double();                x1.requires_grad = True
x2 = torch.Tensor([0.5]).double();                x2.requires_grad = True
w1 = torch.Tensor([-1.5]).double();               w1.requires_grad = True
w2 = torch.Tensor([1.0]).double();                w2.requires_grad = True
b = torch.Tensor([3.25]).double();                b.requires_grad = True
n = x1*w1 + x2*w2 + b
o = torch.tanh(n)
print(o.data.item())
o.backward()
print('---')
for name, t in [('x2', x2), ('w2', w2), ('x1', x1), ('w1', w1)]:
    print(name, t.grad.item())
