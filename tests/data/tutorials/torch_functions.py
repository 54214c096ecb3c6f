import torch

x = torch.tensor(0.5, requires_grad=True, dtype=torch.float64)
y = torch.tensor(2.0, requires_grad=True, dtype=torch.float64)
z = torch.exp(x) * torch.log(y) + torch.sigmoid(x * y) - torch.relu(x - y)
z.backward()
print(f"z = {z.item():.6f}")
print(f"dz/dx = {x.grad.item():.6f}, dz/dy = {y.grad.item():.6f}")
