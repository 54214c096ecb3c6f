# kind: torch
import torch
torch.manual_seed(42)
x = torch.tensor([[0.5, -1.0]])
W1 = torch.tensor([[0.1, 0.2, -0.3], [0.4, -0.5, 0.6]], requires_grad=True)
b1 = torch.zeros(3, requires_grad=True)
W2 = torch.tensor([[0.7], [-0.8], [0.9]], requires_grad=True)
y = torch.tensor([[1.0]])

h_pre = x @ W1 + b1
h = torch.sigmoid(h_pre)
out = h @ W2
loss = 0.5 * (out - y).pow(2).sum()
for t in (h_pre, h, out):
    t.retain_grad()
loss.backward()

dout = out - y
dW2 = h.T @ dout
dh = dout @ W2.T
dh_pre = dh * h * (1 - h)
dW1 = x.T @ dh_pre
db1 = dh_pre.sum(0)

def cmp(name, dt, t):
    ex = torch.all(dt == t.grad).item()
    app = torch.allclose(dt, t.grad)
    maxdiff = (dt - t.grad).abs().max().item()
    print(f'{name:6s} | approximate: {str(app):5s} | maxdiff: {maxdiff:.1e}')

cmp('dW2', dW2, W2)
cmp('dW1', dW1, W1)
cmp('db1', db1, b1)
cmp('dh', dh, h)
print(f"{loss.item():.6f}")
