# kind: torch
import torch
import torch.nn as nn
class LinearRegression(nn.Module):
    def __init__(self):
        super(LinearRegression, self).__init__()
        self.w = nn.Parameter(torch.tensor([0.0]))
        self.b = nn.Parameter(torch.tensor([0.0]))
    def forward(self, x):
        return self.w * x + self.b
model = LinearRegression()
x = torch.tensor([1.0, 2.0, 3.0])
y = torch.tensor([2.0, 4.0, 6.0])
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(10):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    opt.step()
print(model.w, model.b.data)
print(list(model.parameters()))
print(model.state_dict())
model.eval()
with torch.no_grad():
    print(model(torch.tensor([4.0])))
