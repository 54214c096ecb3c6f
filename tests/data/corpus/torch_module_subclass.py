# kind: torch
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self, n_in, n_hidden, n_out):
        super().__init__()
        self.fc1 = nn.Linear(n_in, n_hidden)
        self.fc2 = nn.Linear(n_hidden, n_out)
    def forward(self, x):
        x = F.relu(self.fc1(x))
        return self.fc2(x)

net = Net(2, 3, 2)
print(net)
print(sum(p.numel() for p in net.parameters()))
x = torch.randn(4, 2)
y = torch.tensor([0, 1, 1, 0])
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for step in range(3):
    logits = net(x)
    loss = F.cross_entropy(logits, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, f"{loss.item():.4f}")
print(net(x).argmax(dim=1))
print(net(x).shape)
