import torch

torch.manual_seed(0)
w = torch.randn(3, 1, requires_grad=True)
x, y = torch.randn(20, 3), torch.randn(20, 1)
for epoch in range(4):
    loss = (x @ w - y).pow(2).mean()
    loss.backward()  # <- missing-zero-grad
    w.data -= 0.1 * w.grad
