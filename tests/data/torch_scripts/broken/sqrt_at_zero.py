import torch

w = torch.zeros(4, requires_grad=True)
target = torch.ones(4)
distance = torch.sqrt(w * w)  # <- nan
loss = (distance - target).abs().mean()
loss.backward()
