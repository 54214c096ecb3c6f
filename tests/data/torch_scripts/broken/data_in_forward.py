import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(3))
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        return self.fc(x * self.gain.data)  # <- detached


torch.manual_seed(0)
model = Scale()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(5, 3)
loss = model(x).pow(2).mean()
loss.backward()
opt.step()
