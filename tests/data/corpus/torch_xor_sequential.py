# kind: torch
import torch
from torch import nn, optim
torch.manual_seed(0)
model = nn.Sequential(
    nn.Linear(2, 4),
    nn.ReLU(),
    nn.Linear(4, 1),
    nn.Sigmoid()
)
print(model)
X = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])
Y = torch.tensor([[0.], [1.], [1.], [0.]])
criterion = nn.BCELoss()
optimizer = optim.Adam(model.parameters(), lr=0.05)
for epoch in range(60):
    optimizer.zero_grad()
    out = model(X)
    loss = criterion(out, Y)
    loss.backward()
    optimizer.step()
    if epoch % 20 == 0:
        print('Epoch {}, loss {:.4f}'.format(epoch, loss.item()))
with torch.no_grad():
    pred = (model(X) > 0.5).float()
    print(pred.flatten())
    print((pred == Y).sum().item(), "of", len(Y))
for name, p in model.named_parameters():
    print(name, p.shape, p.requires_grad, p.numel())
print(sum(p.numel() for p in model.parameters()))
print(model[0].weight.shape, model[0].bias.dtype)
print(model[0])
