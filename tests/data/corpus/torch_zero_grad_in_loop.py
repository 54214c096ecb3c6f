# kind: torch
import torch
w = torch.tensor(4.0, dtype=torch.double, requires_grad=True)
for k in range(5):
    loss = (w - 1.0)**2
    loss.backward()
    with torch.no_grad():
        w -= 0.125 * w.grad
    w.grad.zero_()
    print(k, loss.item(), w.item())
