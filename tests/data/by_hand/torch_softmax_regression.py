import torch
import torch.nn.functional as F
torch.manual_seed(3)
x = torch.randn(5, 4)
y = torch.tensor([0, 2, 1, 1, 0])
W = torch.randn(4, 3)
b = torch.zeros(3)
logits = x @ W + b
loss = F.cross_entropy(logits, y)
p = F.softmax(logits, dim=1)
dlogits = (p - F.one_hot(y, 3)) / x.shape[0]
dW = x.T @ dlogits
db = dlogits.sum(dim=0)
dx = dlogits @ W.T
print(loss)
