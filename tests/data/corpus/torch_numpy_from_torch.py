# kind: torch
import numpy as np
import torch
a = np.array([1.0, 2.0, 3.0])
t = torch.from_numpy(a)
print(t, t.dtype)
print(torch.tensor(a))
print(torch.tensor(np.array([1, 2])))
print(torch.tensor([1., 2.]).numpy())
print(torch.tensor(np.float64(2.5)))
x = torch.linspace(-1, 1, 5)
y = torch.tanh(x).numpy()
print(y)
print(np.array(torch.tensor([1, 2])))
w = torch.tensor([1.0, 2.0], requires_grad=True)
print(w.detach().numpy())
print(torch.Tensor(np.ones((2, 2))))
print(torch.as_tensor([1, 2]).numpy().tolist())
