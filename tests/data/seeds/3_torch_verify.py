import torch
 
a_t = torch.tensor(2.0, requires_grad=True)
b_t = torch.tensor(3.0, requires_grad=True)
e_t = a_t * b_t + b_t ** 2
e_t.backward()
print(f"PyTorch: de/da = {a_t.grad.item()}, de/db = {b_t.grad.item()}")
