import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(6, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        h = torch.relu(self.encoder(x)).detach()  # <- detached
        return self.head(h)


torch.manual_seed(0)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
x, y = torch.randn(10, 6), torch.randint(0, 2, (10,))
for step in range(3):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
