import torch

torch.manual_seed(0)
w1 = torch.zeros(4, 6, requires_grad=True)
w2 = torch.zeros(6, 1, requires_grad=True)
x, y = torch.randn(10, 4), torch.randn(10, 1)
h = torch.tanh(x @ w1)
out = h @ w2  # <- zero-gradient
loss = (out - y).pow(2).mean()
loss.backward()
