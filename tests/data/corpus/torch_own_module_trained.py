# kind: torch
import torch
from torch import nn
from torch.utils.data import TensorDataset, DataLoader

device = 'cuda' if torch.cuda.is_available() else 'cpu'
print(device)
X = torch.linspace(0, 1, 8).unsqueeze(dim=1)
y = 0.7 * X + 0.3
split = int(0.75 * len(X))
X_train, y_train, X_test, y_test = X[:split], y[:split], X[split:], y[split:]

class LinearRegressionModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.Parameter(torch.tensor([0.2]), requires_grad=True)
        self.bias = nn.Parameter(torch.tensor([0.1]), requires_grad=True)
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.weights * x + self.bias

model_0 = LinearRegressionModel().to(device)
print(model_0.state_dict())
with torch.inference_mode():
    y_preds = model_0(X_test)
print(y_preds.squeeze())
loss_fn = nn.L1Loss()
optimizer = torch.optim.SGD(params=model_0.parameters(), lr=0.05)
for epoch in range(12):
    model_0.train()
    y_pred = model_0(X_train)
    loss = loss_fn(y_pred, y_train)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model_0.eval()
    with torch.inference_mode():
        test_loss = loss_fn(model_0(X_test), y_test)
    if epoch % 4 == 0:
        print(f"Epoch: {epoch} | MAE Train Loss: {loss:.4f} | MAE Test Loss: {test_loss:.4f}")
print([round(v.item(), 4) for v in model_0.state_dict().values()])
