import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
with torch.no_grad():
    model[0].bias.fill_(-50.0)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(16, 5), torch.randn(16, 1)
for _ in range(2):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)  # <- zero-gradient
    loss.backward()
    opt.step()
