import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 3)
x, y = torch.randn(12, 4), torch.randint(0, 3, (12,))
probs = F.softmax(model(x), dim=1)
loss = F.nll_loss(probs, y)  # <- nll-without-log
loss.backward()
