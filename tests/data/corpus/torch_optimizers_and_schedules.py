# kind: torch
import torch
from torch import optim
def run(make, steps=5):
    torch.manual_seed(0)
    w = torch.tensor([1.0, -2.0], requires_grad=True)
    opt = make([w])
    for _ in range(steps):
        opt.zero_grad()
        loss = (w ** 2).sum() + w.prod()
        loss.backward()
        opt.step()
    return w.detach().numpy().round(4), round(loss.item(), 4)
print(run(lambda p: optim.SGD(p, lr=0.1)))
print(run(lambda p: optim.SGD(p, lr=0.1, momentum=0.9)))
print(run(lambda p: optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True)))
print(run(lambda p: optim.SGD(p, lr=0.1, weight_decay=0.1)))
print(run(lambda p: optim.Adam(p, lr=0.1)))
print(run(lambda p: optim.AdamW(p, lr=0.1)))
print(run(lambda p: optim.RMSprop(p, lr=0.01)))
print(run(lambda p: optim.Adagrad(p, lr=0.1)))
w = torch.zeros(1, requires_grad=True)
opt = optim.SGD([w], lr=1.0)
sched = optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
for i in range(5):
    opt.step()
    print(i, opt.param_groups[0]['lr'], sched.get_last_lr())
    sched.step()
print(opt)
