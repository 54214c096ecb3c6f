import math

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, d=16, heads=2):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(self.ln1(x)).split(c, dim=2)
        q, k, v = (u.view(b, t, self.heads, c // self.heads).transpose(1, 2) for u in (q, k, v))
        att = q @ k.transpose(-2, -1) / math.sqrt(c // self.heads)
        mask = torch.tril(torch.ones(t, t))
        att = att.masked_fill(mask == 0, float("-inf")).softmax(-1)
        x = x + self.proj((att @ v).transpose(1, 2).reshape(b, t, c))
        return x + self.mlp(self.ln2(x))


torch.manual_seed(0)
emb, pos, head = nn.Embedding(20, 16), nn.Embedding(8, 16), nn.Linear(16, 20)
blocks = nn.ModuleList([Block(), Block()])
everything = nn.ModuleList([emb, pos, head, blocks])
opt = torch.optim.AdamW(everything.parameters(), lr=1e-3)
ids = torch.randint(0, 20, (2, 9))
for _ in range(2):
    x = emb(ids[:, :-1]) + pos(torch.arange(8))
    for block in blocks:
        x = block(x)
    loss = nn.functional.cross_entropy(head(x).view(-1, 20), ids[:, 1:].reshape(-1))
    opt.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(everything.parameters(), 1.0)
    opt.step()
