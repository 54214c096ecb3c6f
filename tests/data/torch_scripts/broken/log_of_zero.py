import torch

torch.manual_seed(0)
x = torch.rand(6, 3)
x[2, 1] = 0.0
w = torch.randn(3, 1, requires_grad=True)
y = torch.rand(6, 1)
features = torch.log(x)  # <- nan
loss = ((features @ w - y) ** 2).mean()
loss.backward()
