# kind: torch
import torch
import torch.nn as nn
torch.manual_seed(42)
X = torch.arange(0, 1, 0.1).unsqueeze(dim=1)
y = 0.7 * X + 0.3
print(X[:3], y[:3], X.shape)

class LinearRegressionModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.Parameter(torch.randn(1, dtype=torch.float), requires_grad=True)
        self.bias = nn.Parameter(torch.randn(1, dtype=torch.float), requires_grad=True)
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.weights * x + self.bias

model_0 = LinearRegressionModel()
print(list(model_0.parameters()))
print(model_0.state_dict())
with torch.inference_mode():
    y_preds = model_0(X)
print(y_preds[:2])
loss_fn = nn.L1Loss()
optimizer = torch.optim.SGD(params=model_0.parameters(), lr=0.01)
train_loss_values = []
for epoch in range(50):
    model_0.train()
    y_pred = model_0(X)
    loss = loss_fn(y_pred, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model_0.eval()
    if epoch % 10 == 0:
        train_loss_values.append(loss.detach().numpy())
        print(f"Epoch: {epoch} | MAE Train Loss: {loss} ")
print(model_0.state_dict())
