import torch

torch.manual_seed(0)
w = torch.randn(3, 1)
x, y = torch.randn(16, 3), torch.randn(16, 1)
loss = (x @ w - y).pow(2).mean()
loss.backward()  # <- nothing-wanted
