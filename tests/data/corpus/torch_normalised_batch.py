# kind: torch
import torch
import torch.nn as nn
torch.manual_seed(0)
bn = nn.BatchNorm1d(3)
x = torch.tensor([[1., 2., 3.], [4., 5., 9.], [7., 8., 6.]])
print(bn)
print(bn(x))
print(bn.running_mean, bn.running_var, bn.num_batches_tracked)
bn.eval()
print(bn(x).detach().round(decimals=3))
