# kind: torch
import torch
a = torch.tensor([1, 2, 3])
print(a.float().mean())
try:
    a.mean()
except RuntimeError as e:
    print('RuntimeError:', e)
try:
    torch.tensor([1, 2, 3]).view(2, 2)
except RuntimeError as e:
    print('RuntimeError:', e)
try:
    a[5]
except IndexError as e:
    print('IndexError:', e)
try:
    torch.nn.functional.cross_entropy(torch.randn(2, 3), torch.tensor([0.0, 1.0]))
except RuntimeError as e:
    print('RuntimeError:', e)
try:
    torch.nn.Linear(3, 2)(torch.ones(1, 2))
except RuntimeError as e:
    print('RuntimeError:', e)
try:
    torch.tensor([[1, 2], [3]])
except ValueError as e:
    print('ValueError:', e)
x = torch.ones(2, requires_grad=True)
try:
    float(x)
except (ValueError, RuntimeError) as e:
    print(type(e).__name__, e)
try:
    if x > 0:
        print('yes')
except RuntimeError as e:
    print(e)
try:
    x[0] = 2
except RuntimeError as e:
    print(e)
print((a / 2).dtype, (a * 1.5).dtype, (a // 2), a.double().dtype)
print(torch.tensor([1.5, 2.5]).int(), torch.tensor([1]).type())
