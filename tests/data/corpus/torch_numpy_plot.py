# kind: torch
import torch
import numpy as np
import matplotlib.pyplot as plt
x = torch.linspace(-2, 2, 9, requires_grad=True)
y = torch.tanh(x)
y.sum().backward()
plt.plot(x.detach().numpy(), y.detach().numpy(), label='tanh')
plt.plot(x.detach().numpy(), x.grad.numpy(), label='grad')
plt.legend(); plt.show()
print(np.round(x.grad.numpy(), 3))
print(y.detach().numpy().dtype, x.detach().numpy()[:3])
