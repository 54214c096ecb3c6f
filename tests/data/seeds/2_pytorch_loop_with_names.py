import torch

model = MLP(3, [4, 4, 1])
x = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
y = [1.0, -1.0, -1.0, 1.0]

# PyTorch equivalent
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(20):
    ypred = model(x)
    loss = ((ypred - y)**2).sum()
    optimizer.zero_grad() # our: p.grad = 0.0
    loss.backward() # our: loss.backward()
    optimizer.step() # our: p.data += -lr * p.grad
