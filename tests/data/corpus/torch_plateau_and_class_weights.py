# kind: torch
import torch
import torch.nn as nn
torch.manual_seed(0)
w = nn.Parameter(torch.tensor([2.0, -3.0]))
opt = torch.optim.SGD([w], lr=0.4)
sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, mode='min', factor=0.5, patience=1)
for epoch in range(8):
    opt.zero_grad()
    loss = (w ** 2).sum()
    if epoch >= 3:
        loss = loss * 0 + 1.0 + 0 * w.sum()
    loss.backward()
    opt.step()
    sched.step(loss.item())
    print(epoch, round(loss.item(), 5), opt.param_groups[0]['lr'])

logits = torch.tensor([[2.0, 0.5, -1.0], [0.1, 1.2, 0.3], [0.0, 0.0, 3.0]], requires_grad=True)
targets = torch.tensor([0, 1, 2])
ce = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 0.5]))
l = ce(logits, targets)
l.backward()
print(l)
print(logits.grad)
l2 = nn.CrossEntropyLoss(ignore_index=1)(logits, targets)
print(l2.item())
print(torch.linalg.norm(torch.tensor([3.0, 4.0])), torch.norm(w.grad))
