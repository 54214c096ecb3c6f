# kind: torch
import torch
from torch import nn
torch.manual_seed(3)
model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1), nn.Sigmoid())
print(model)
X = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
Y = torch.tensor([[0.], [1.], [1.], [0.]])
loss_fn = nn.BCELoss()
opt = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
for epoch in range(20):
    p = model(X)
    loss = loss_fn(p, Y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 5 == 0: print(epoch, round(loss.item(), 4))
with torch.no_grad():
    print((model(X) > 0.5).float())
