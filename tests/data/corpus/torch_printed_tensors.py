# kind: torch
import torch
a = torch.tensor([1.0, 2.0, 3.0])
print(a)
print(a.sum(), a.shape, a.dtype)
print(a * 2 + 1)
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(m @ m)
