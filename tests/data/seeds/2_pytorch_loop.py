# PyTorch equivalent
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(20):
    ypred = model(x)
    loss = ((ypred - y)**2).sum()
    optimizer.zero_grad() # our: p.grad = 0.0
    loss.backward() # our: loss.backward()
    optimizer.step() # our: p.data += -lr * p.grad
