import random
 
class Neuron:
    def __init__(self, n_inputs):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(n_inputs)]
        self.b = Value(0.0)
 
    def __call__(self, x):
        act = sum((wi * xi for wi, xi in zip(self.w, x)), self.b)
        return act.tanh()
 
    def parameters(self):
        return self.w + [self.b]
 
class Layer:
    def __init__(self, n_in, n_out):
        self.neurons = [Neuron(n_in) for _ in range(n_out)]
 
    def __call__(self, x):
        out = [n(x) for n in self.neurons]
        return out[0] if len(out) == 1 else out
 
    def parameters(self):
        return [p for n in self.neurons for p in n.parameters()]
 
class MLP:
    def __init__(self, n_in, layer_sizes):
        sizes = [n_in] + layer_sizes
        self.layers = [Layer(sizes[i], sizes[i+1]) for i in range(len(layer_sizes))]
 
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
 
    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]

# Binary classification: 4 points
X = [
    [2.0, 3.0, -1.0],
    [3.0, -1.0, 0.5],
    [0.5, 1.0, 1.0],
    [1.0, 1.0, -1.0],
]
y_true = [1.0, -1.0, -1.0, 1.0]  # tanh outputs in [-1, 1]
 
model = MLP(3, [4, 4, 1])  # 3 inputs → 4 → 4 → 1 output
print(f"Number of parameters: {len(model.parameters())}")
 
# Training loop
losses = []
for epoch in range(100):
    # Forward pass
    preds = [model(x) for x in X]
    loss = sum((p - yt) ** 2 for p, yt in zip(preds, y_true))
    losses.append(loss.data)
 
    # Backward pass
    # Zero gradients first!
    for p in model.parameters():
        p.grad = 0.0
    loss.backward()
 
    # Update
    lr = 0.05
    for p in model.parameters():
        p.data -= lr * p.grad
 
    if epoch % 20 == 0:
        print(f"Epoch {epoch:3d} | Loss: {loss.data:.4f} | Preds: {[f'{p.data:.2f}' for p in preds]}")
 
plt.plot(losses)
plt.xlabel("Epoch"); plt.ylabel("Loss")
plt.title("Autograd engine training")
plt.show()
