# kind: torch
import torch
import torch.nn as nn
import math

class MyLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        if bias:
            self.bias = nn.Parameter(torch.zeros(out_features))
        else:
            self.register_parameter('bias', None)
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))

    def forward(self, x):
        y = x @ self.weight.t()
        if self.bias is not None:
            y = y + self.bias
        return y

    def extra_repr(self):
        return f'in={self.in_features}, out={self.out_features}, bias={self.bias is not None}'

class Residual(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.block = nn.Sequential(MyLinear(d, d), nn.Tanh(), MyLinear(d, d, bias=False))
        self.register_buffer('scale', torch.tensor(0.5))
    def forward(self, x):
        return x + self.scale * self.block(x)

class Net(nn.Module):
    def __init__(self, d=3, depth=2, classes=2):
        super().__init__()
        self.blocks = nn.ModuleList([Residual(d) for _ in range(depth)])
        self.head = nn.Linear(d, classes)
        self.drop = nn.Dropout(p=0.2)
    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return self.head(self.drop(x))

torch.manual_seed(11)
net = Net()
print(net)
print({k: tuple(v.shape) for k, v in net.state_dict().items()})
net.eval()
x = torch.tensor([[0.1, -0.4, 1.0], [1.0, 0.0, -1.0]])
logits = net(x)
print(logits)
labels = torch.tensor([0, 1])
loss = nn.CrossEntropyLoss()(logits, labels)
loss.backward()
print(f'{loss.item():.5f}')
for n, p in net.named_parameters():
    print(f'{n:<30}{p.grad.abs().mean():.6f}')
print(nn.functional.softmax(logits, dim=-1).argmax(-1))
torch.nn.utils.clip_grad_norm_(net.parameters(), 0.1)
total = torch.sqrt(sum((p.grad ** 2).sum() for p in net.parameters()))
print(round(total.item(), 4))
for m in net.modules():
    print(type(m).__name__, end=' ')
print()
print([n for n, _ in net.named_children()])
opt = torch.optim.AdamW(net.parameters(), lr=1e-2, weight_decay=0.1)
opt.step(); opt.zero_grad(set_to_none=True)
print(net.head.weight.grad, net.head.weight)
