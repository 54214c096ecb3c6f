import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
model[2] = nn.Linear(8, 3)
x, y = torch.randn(6, 4), torch.randint(0, 3, (6,))
optimizer.zero_grad()
loss = nn.functional.cross_entropy(model(x), y)  # <- not-in-optimizer
loss.backward()
optimizer.step()
