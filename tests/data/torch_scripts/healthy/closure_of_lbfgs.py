import torch

torch.manual_seed(0)
w = torch.randn(3, 1, requires_grad=True)
x, y = torch.randn(20, 3), torch.randn(20, 1)
opt = torch.optim.LBFGS([w], max_iter=3)


def closure():
    opt.zero_grad()
    loss = (x @ w - y).pow(2).mean()
    loss.backward()
    return loss


for _ in range(2):
    opt.step(closure)
