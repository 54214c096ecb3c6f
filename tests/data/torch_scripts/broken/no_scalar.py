import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
x, y = torch.randn(16, 3), torch.randn(16, 1)
loss = (model(x) - y).pow(2)
loss.backward()  # <- no-scalar
