import torch

torch.manual_seed(0)
a = torch.tensor([1.0, 2.0, 0.0, 4.0], requires_grad=True)
safe = torch.where(a > 0, 1 / a, torch.zeros_like(a))  # <- nan
loss = safe.sum()
loss.backward()
