# kind: torch
import torch
t = torch.rand(2, 3)
print(t.shape, t.dtype, t.device, t.requires_grad)
print(torch.ones(2, 3).sum(), torch.ones(4).mean(), torch.tensor([1., 2., 3.]).std())
a = torch.tensor([[1., 2.], [3., 4.]])
print(a @ a, a * a, a.T, a.inverse() if hasattr(a, 'nope') else '')
print(a[0, 1], a[:, 0], a[0].sum().item(), a.view(-1), a.reshape(4, 1))
print(a.max().item(), a.min(), a.norm(), a.abs().sum(), a.prod())
print(torch.arange(3).repeat(2), torch.tensor([3, 1, 2]).sort())
print(a.tolist(), a.clone(), a.add(1), a.mul_(2), a)
b = a
b += 1
print(a)
print(torch.equal(a, b), a.eq(b).all(), (a > 3).any(), torch.manual_seed(0) is not None)
print(a.to(torch.int64), a.long().dtype)
i = torch.tensor(5)
print(i, i.item(), i + 1, i / 2, i // 2, i % 2)
