import torch
torch.manual_seed(5)
X, Y = torch.randn(8, 2), torch.randn(8, 1)
W1, b1 = torch.randn(2, 4), torch.zeros(4)
W2, b2 = torch.randn(4, 1), torch.zeros(1)
lr = 0.1
for it in range(3):
    h = torch.tanh(X @ W1 + b1)
    out = h @ W2 + b2
    loss = ((out - Y) ** 2).mean()
    dout = 2 * (out - Y) / Y.numel()
    dW2 = h.T @ dout
    db2 = dout.sum(0)
    dh = dout @ W2.T
    dz = dh * (1 - h ** 2)
    dW1 = X.T @ dz
    db1 = dz.sum(0)
    W1 -= lr * dW1
    b1 -= lr * db1
    W2 -= lr * dW2
    b2 -= lr * db2
    print(it, loss.item())
