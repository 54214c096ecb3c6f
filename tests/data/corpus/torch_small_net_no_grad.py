# kind: torch
import torch
import torch.nn.functional as F

torch.manual_seed(0)
X = torch.tensor([[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]])
y = torch.tensor([1.0, -1.0, -1.0, 1.0])
W1 = torch.full((3, 4), 0.1, requires_grad=True)
b1 = torch.zeros(4, requires_grad=True)
W2 = torch.tensor([[0.2], [-0.1], [0.3], [0.05]], requires_grad=True)
lr = 0.1
for step in range(10):
    h = torch.tanh(X @ W1 + b1)
    out = (h @ W2).squeeze()
    loss = ((out - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for p in (W1, b1, W2):
            p -= lr * p.grad
            p.grad.zero_()
    if step % 3 == 0:
        print(step, round(loss.item(), 4))
print(out.shape, W1.grad.abs().sum())
print(torch.sign(out).tolist())
