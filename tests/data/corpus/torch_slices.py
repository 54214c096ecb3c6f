# kind: torch
import torch
t = torch.arange(12, dtype=torch.float32).view(3, 4)
print(t[1:])
print(t[:, ::2])
print(t[t > 5])
print(t.sum(0), t.sum(1), t.sum())
print(t.mean(dim=1, keepdim=True))
print(t.max(), t.max(dim=1))
print(t.argmax(), t.argmax(1))
t[0] = 9
print(t)
t[:, -1] = torch.tensor([1., 2., 3.])
print(t)
print(torch.cat([t, t], dim=0).shape, torch.stack([t, t]).shape)
print(t.unsqueeze(0).shape, t.flatten().shape, t.squeeze().shape)
print((t + torch.tensor([1., 2., 3., 4.])))
print(t * torch.tensor([[1.], [2.], [3.]]))
print(t.numel(), t.ndim, t.dim(), len(t))
for row in t:
    print(row)
