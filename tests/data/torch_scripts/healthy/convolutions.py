import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1, self.bn = nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4)
        self.c2, self.fc = nn.Conv2d(4, 8, 3), nn.Linear(8 * 9, 10)
        self.drop = nn.Dropout(0.2)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn(self.c1(x)), inplace=True), 2)
        x = F.adaptive_avg_pool2d(F.relu(self.c2(x)), 3)
        return self.fc(self.drop(x.flatten(1)))


torch.manual_seed(0)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
x, y = torch.randn(4, 1, 12, 12), torch.tensor([1, 7, 3, 0])
for _ in range(2):
    opt.zero_grad()
    F.cross_entropy(net(x), y).backward()
    opt.step()
