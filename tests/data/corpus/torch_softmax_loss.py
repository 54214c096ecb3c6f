# kind: torch
import torch
import torch.nn.functional as F
logits = torch.tensor([0.0, 2.0, -1.0], dtype=torch.float64, requires_grad=True)
probs = torch.softmax(logits, dim=0)
loss = -probs[1].log()
loss.backward()
print(round(loss.item(), 10))
print([round(g, 8) for g in logits.grad.tolist()])
print(round(F.cross_entropy(logits.detach().unsqueeze(0), torch.tensor([1])).item(), 10))
