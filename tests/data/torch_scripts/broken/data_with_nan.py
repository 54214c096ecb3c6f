import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.tensor([[1.0, 2.0], [float("nan"), 0.5], [0.1, 0.2]])
y = torch.tensor([0, 1, 0])
model = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2))
loss = F.cross_entropy(model(x), y)  # <- nan
loss.backward()
