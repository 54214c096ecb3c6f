# kind: torch
import torch
x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
optimizer = torch.optim.SGD([x], lr=0.25)
for i in range(4):
    optimizer.zero_grad()
    loss = x**2 + 2*x
    loss.backward()
    optimizer.step()
    print(i, loss.item(), x.item())
