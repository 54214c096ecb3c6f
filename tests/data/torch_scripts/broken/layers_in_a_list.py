import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = [nn.Linear(3, 3) for _ in range(2)]
        self.out = nn.Linear(3, 1)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.tanh(layer(x))  # <- not-in-optimizer
        return self.out(x)


torch.manual_seed(0)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
for _ in range(2):
    opt.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    opt.step()
