import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")
torch.manual_seed(0)
model = nn.Linear(3, 1)
x, y = torch.randn(16, 3), torch.randn(16)
loss = nn.MSELoss()(model(x), y)  # <- broadcast
loss.backward()
