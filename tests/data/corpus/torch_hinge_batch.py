# kind: torch
import torch
torch.manual_seed(5)
X = torch.randn(6, 2)
y = torch.where(X[:, 0] > 0, 1.0, -1.0)
w = torch.zeros(2, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for step in range(4):
    perm = torch.randperm(6)
    for i in range(0, 6, 3):
        idx = perm[i:i+3]
        margin = 1 - y[idx] * (X[idx] @ w)
        loss = torch.clamp(margin, min=0).mean()
        opt.zero_grad(); loss.backward(); opt.step()
    print(step, round(loss.item(), 4))
acc = ((X @ w).sign() == y).float().mean()
print(acc, f'{acc.item():.2f}', X.shape)
