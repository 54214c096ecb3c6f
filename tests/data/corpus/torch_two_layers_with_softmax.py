# kind: torch
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
N, K = 64, 3
y = torch.arange(N) % K
t = y * 2.1 + torch.arange(N) * 0.08
r = (torch.arange(N) // K + 1) / (N / K)
X = torch.stack([r * torch.sin(t), r * torch.cos(t)], dim=1)

model = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, K))
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for step in range(101):
    logits = model(X)
    loss = F.cross_entropy(logits, y)
    if step % 25 == 0:
        print(f"step {step:3d}: loss {loss.item():.3f}")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    accuracy = (model(X).argmax(dim=1) == y).float().mean()
print(f"accuracy {accuracy.item():.2f}")
print(sum(p.numel() for p in model.parameters()), [tuple(p.shape) for p in model.parameters()])
