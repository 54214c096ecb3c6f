# kind: torch
import torch
from torch import nn
layer = nn.Linear(2, 1).double()
with torch.no_grad():
    layer.weight.copy_(torch.tensor([[0.5, -1.0]]))
    layer.bias.fill_(0.25)
out = layer(torch.tensor([2.0, 3.0], dtype=torch.float64))
out.backward()
print(out.item(), layer.weight.grad.tolist(), layer.bias.grad.tolist())
