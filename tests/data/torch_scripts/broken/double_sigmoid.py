import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 1), nn.Sigmoid())
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(12, 4), torch.randint(0, 2, (12, 1)).float()
loss = nn.functional.binary_cross_entropy_with_logits(model(x), y)  # <- double-sigmoid
loss.backward()
opt.step()
