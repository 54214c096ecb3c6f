# kind: torch
import torch
from torch.utils.data import TensorDataset, DataLoader, random_split
torch.manual_seed(0)
X = torch.linspace(-1, 1, 20).unsqueeze(1)
y = 2 * X + 0.5
ds = TensorDataset(X, y)
print(len(ds), ds[0])
loader = DataLoader(ds, batch_size=5, shuffle=False)
model = torch.nn.Linear(1, 1)
torch.nn.init.zeros_(model.weight); torch.nn.init.zeros_(model.bias)
opt = torch.optim.SGD(model.parameters(), lr=0.3)
best, patience = float('inf'), 0
for epoch in range(50):
    running = 0.0
    for xb, yb in loader:
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(xb), yb)
        loss.backward()
        opt.step()
        running += loss.item() * xb.size(0)
    running /= len(ds)
    if epoch % 5 == 0: print(epoch, f"{running:.5f}")
    if running < best - 1e-5:
        best, patience = running, 0
    else:
        patience += 1
    if patience >= 3:
        print("early stop at", epoch)
        break
print(f"{model.weight.item():.3f} {model.bias.item():.3f}")
print(len(loader), loader.batch_size)
