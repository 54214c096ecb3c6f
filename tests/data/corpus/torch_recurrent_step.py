# kind: torch
import torch

torch.manual_seed(5)
T, B, V, H = 5, 3, 6, 4
x = torch.randint(0, V, (T, B))
target = torch.randint(0, V, (T, B))
Wxh = (torch.randn(V, H) * 0.3).requires_grad_()
Whh = (torch.randn(H, H) * 0.3).requires_grad_()
Why = (torch.randn(H, V) * 0.3).requires_grad_()
bh, by = torch.zeros(H, requires_grad=True), torch.zeros(V, requires_grad=True)
params = [Wxh, Whh, Why, bh, by]

for step in range(11):
    h, loss = torch.zeros(B, H), 0.0
    for t in range(T):
        h = torch.tanh(Wxh[x[t]] + h @ Whh + bh)
        logits = h @ Why + by
        logp = logits - logits.logsumexp(dim=1, keepdim=True)
        loss = loss - logp[torch.arange(B), target[t]].mean() / T
    for p in params:
        p.grad = None
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(params, 1.0)
    with torch.no_grad():
        for p in params:
            p -= 1.0 * p.grad
    if step % 5 == 0:
        print(f"{step:2d} loss {loss.item():.4f} norm {norm.item():.4f}")
print(h.shape, Whh.grad.shape, bh.grad.norm() <= 1)
