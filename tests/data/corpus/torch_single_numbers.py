# kind: torch
import torch
a = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
b = torch.tensor(-2.0, dtype=torch.float64, requires_grad=True)
c = a * b + a.exp()
c.backward()
print(c.item(), a.grad.item(), b.grad.item())
