import torch

torch.manual_seed(0)
x = torch.randn(10, 4)
x[:, 2] = 3.0
x = (x - x.mean(0)) / x.std(0)  # <- nan
w = torch.randn(4, 1, requires_grad=True)
loss = (x @ w).pow(2).mean()
loss.backward()
