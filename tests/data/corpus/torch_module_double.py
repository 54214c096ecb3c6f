# kind: torch
import torch, torch.nn as nn
torch.manual_seed(0)
layer = nn.Linear(2, 1).double()
print(layer.weight, layer.bias.dtype)
x=torch.tensor([[1.,2.]],dtype=torch.float64)
print(layer(x))
layer(x).sum().backward(); print(layer.weight.grad)
layer.float(); print(layer.weight)
