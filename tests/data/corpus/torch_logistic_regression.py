# kind: torch
import torch

torch.manual_seed(1)
X = torch.randn(50, 2)
y = (X[:, 0] - 2 * X[:, 1] > 0).float().unsqueeze(1)


class LogisticRegression(torch.nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.linear = torch.nn.Linear(inputs, 1)

    def forward(self, x):
        return torch.sigmoid(self.linear(x))


model = LogisticRegression(2)
criterion = torch.nn.BCELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for epoch in range(60):
    prediction = model(X)
    loss = criterion(prediction, y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if (epoch + 1) % 20 == 0:
        print(f"epoch {epoch + 1}: loss = {loss.item():.4f}")
with torch.no_grad():
    right = model(X).round().eq(y).sum() / float(y.shape[0])
    print(f"accuracy = {right:.4f}")
w, b = model.linear.weight, model.linear.bias
print(w.shape, b.requires_grad, (w[0, 0] > 0).item(), (w[0, 1] < 0).item())
