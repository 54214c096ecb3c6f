# kind: torch
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
grads = {}
def save_grad(name):
    def hook(grad):
        grads[name] = grad
    return hook
y = x ** 2
y.register_hook(save_grad('y'))
z = y.mean()
z.register_hook(save_grad('z'))
z.backward()
print(grads['y'], grads['z'])
print(x.grad)
