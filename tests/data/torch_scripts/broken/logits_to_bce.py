import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
loss_fn = nn.BCELoss()
x, y = torch.randn(12, 4), torch.randint(0, 2, (12, 1)).float()
loss = loss_fn(model(x), y)  # <- logits-to-bce
loss.backward()
