# kind: torch
import torch
x = torch.tensor(0.1, requires_grad=True)
y = x * 3
y.backward()
print(y.item(), x.grad.item())
print(torch.tensor([0.1]).double().item())
