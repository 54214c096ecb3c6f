import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4)
        self.out = nn.Linear(4, 2)

    def forward(self, x):
        x = torch.relu(self.first(x))
        return self.out(x)


torch.manual_seed(0)
net = Net()
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(4, 4), torch.tensor([0, 1, 1, 0])
loss = nn.functional.cross_entropy(net(x), y)
loss.backward()
opt.step()  # <- unused
