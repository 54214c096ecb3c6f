import torch
torch.manual_seed(1)
X = torch.randn(6, 3)
Y = torch.randn(6, 2)
w1 = torch.randn(3, 5)
w2 = torch.randn(5, 2)
learning_rate = 1e-3
for step in range(2):
    z = X.mm(w1)
    a = z.clamp(min=0)
    y_pred = a.mm(w2)
    loss = (y_pred - Y).pow(2).sum()
    grad_y_pred = 2.0 * (y_pred - Y)
    grad_w2 = a.t().mm(grad_y_pred)
    grad_a = grad_y_pred.mm(w2.t())
    grad_z = grad_a.clone()
    grad_z[z < 0] = 0
    grad_w1 = X.t().mm(grad_z)
    w1 -= learning_rate * grad_w1
    w2 -= learning_rate * grad_w2
    print(step, loss.item())
