# kind: torch
import torch
import torch.nn as nn
from torch.nn import functional as F

torch.manual_seed(1337)
B, T, C, head_size = 2, 4, 6, 3


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.key = nn.Linear(C, head_size, bias=False)
        self.query = nn.Linear(C, head_size, bias=False)
        self.value = nn.Linear(C, head_size, bias=False)
        self.register_buffer("tril", torch.tril(torch.ones(T, T)))

    def forward(self, x):
        k, q = self.key(x), self.query(x)
        wei = q @ k.transpose(-2, -1) * head_size**-0.5
        wei = wei.masked_fill(self.tril == 0, float("-inf"))
        self.wei = F.softmax(wei, dim=-1)
        return self.wei @ self.value(x)


x = torch.randn(B, T, C)
heads = nn.ModuleList([Head() for _ in range(2)])
project = nn.Linear(2 * head_size, C)
norm = nn.LayerNorm(C)
out = norm(x + project(torch.cat([h(x) for h in heads], dim=-1)))
print(out.shape)
print(heads[0].wei[0])
loss = (out * torch.arange(1.0, C + 1)).mean()
loss.backward()
print(f"{loss.item():.5f}")
for name, p in heads[0].named_parameters():
    print(name, tuple(p.shape), f"{p.grad.abs().sum().item():.5f}")
print(norm.weight.grad)
print([name for name, _ in heads[0].named_buffers()])
