# kind: torch
import torch
x = torch.tensor(3.0, requires_grad=True)
y = x**2
y.backward()
try:
    y.backward()
except RuntimeError as e:
    print(e)
z = torch.tensor([1.0, 2.0], requires_grad=True)
try:
    (z*2).backward()
except RuntimeError as e:
    print(e)
try:
    torch.tensor([1, 2], requires_grad=True)
except RuntimeError as e:
    print(e)
try:
    torch.ones(2, 3) @ torch.ones(2, 3)
except RuntimeError as e:
    print(e)
try:
    torch.ones(3) + torch.ones(2)
except RuntimeError as e:
    print(e)
try:
    x += 1
except RuntimeError as e:
    print(e)
try:
    x.numpy()
except RuntimeError as e:
    print(e)
c = torch.tensor(1.0)
try:
    c.backward()
except RuntimeError as e:
    print(e)
print(x.grad, c.grad)
try:
    z.item()
except RuntimeError as e:
    print(e)
try:
    torch.ones(2) @ torch.ones(2).double()
except RuntimeError as e:
    print(e)
