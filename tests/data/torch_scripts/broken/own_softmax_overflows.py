import torch
from torch import nn

torch.manual_seed(1)
model = nn.Linear(5, 3)
x = torch.randn(8, 5) * 500
y = torch.randint(0, 3, (8,))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
logits = model(x)
e = logits.exp()  # <- nan
probs = e / e.sum(1, keepdim=True)
loss = -probs[range(8), y].log().mean()
loss.backward()
