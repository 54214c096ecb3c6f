# kind: torch
import torch
import torch.nn as nn
import torch.nn.functional as F
class Net(nn.Module):
    def __init__(self, n_in, n_hidden, n_out):
        super(Net, self).__init__()
        self.fc1 = nn.Linear(n_in, n_hidden)
        self.fc2 = nn.Linear(n_hidden, n_out)
        self.act = nn.Tanh()
        self.drop = nn.Dropout(p=0.0)
    def forward(self, x):
        x = self.act(self.fc1(x))
        x = self.drop(x)
        return self.fc2(x)
torch.manual_seed(1)
net = Net(2, 5, 3)
print(net)
x = torch.randn(6, 2)
t = torch.tensor([0, 2, 1, 1, 0, 2])
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for i in range(15):
    logits = net(x)
    loss = F.cross_entropy(logits, t)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    if (i + 1) % 5 == 0:
        acc = (logits.argmax(1) == t).float().mean()
        print(f'{i+1:3d}: {loss.item():.4f} {acc:.2f}')
print(F.softmax(net(x), dim=1).sum(dim=1))
print(F.one_hot(t, 3))
print([n for n, _ in net.named_parameters()])
print(net.fc1.weight.grad.shape, net.training, net.eval().training)
print(net.fc1.in_features, net.fc1.out_features)
for m in net.children():
    print(type(m).__name__)
