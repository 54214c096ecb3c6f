import torch

torch.manual_seed(0)
w = torch.randn(3, 1, requires_grad=True)
x, y = torch.randn(16, 3), torch.randn(16, 1)
loss = (x @ w - y).pow(2).mean()
loss.backward()
w -= 0.1 * w.grad  # <- leaf-in-place
