import torch

torch.manual_seed(0)
x = torch.randn(4, 3)
w = torch.randn(3, 2, requires_grad=True)
h = torch.tanh(x @ w)
loss = h.sum()
loss.backward()
print(h.grad)  # <- grad-of-result
