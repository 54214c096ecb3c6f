import random
class Neuron:
    def __init__(self, nin):
        self.w = [Value(random.uniform(-1, 1)) for _ in range(nin)]
        self.b = Value(0.0)
    def __call__(self, x):
        act = sum((wi*xi for wi, xi in zip(self.w, x)), self.b)
        return act.tanh()
    def parameters(self):
        return self.w + [self.b]
class Layer:
    def __init__(self, nin, nout):
        self.neurons = [Neuron(nin) for _ in range(nout)]
    def __call__(self, x):
        out = [n(x) for n in self.neurons]
        return out[0] if len(out) == 1 else out
    def parameters(self):
        return [p for n in self.neurons for p in n.parameters()]
class MLP:
    def __init__(self, nin, nouts):
        sz = [nin] + nouts
        self.layers = [Layer(sz[i], sz[i+1]) for i in range(len(nouts))]
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]

# A tiny dataset: 4 inputs, 4 targets
xs = [
    [2.0, 3.0, -1.0],
    [3.0, -1.0, 0.5],
    [0.5, 1.0, 1.0],
    [1.0, 1.0, -1.0],
]
ys = [1.0, -1.0, -1.0, 1.0] # targets
# Create a network: 3 inputs -> 4 -> 4 -> 1 output
model = MLP(3, [4, 4, 1])
# Training loop
for step in range(100):
    # Forward pass
    predictions = [model(x) for x in xs]
    loss = sum((pred - y)**2 for pred, y in zip(predictions, ys))
    # Backward pass
    for p in model.parameters():
        p.grad = 0.0 # reset gradients
    loss.backward()
    # Update weights (gradient descent!)
    for p in model.parameters():
        p.data -= 0.05 * p.grad
    if step % 10 == 0:
        print(f"Step {step}, Loss: {loss.data:.4f}")
# Check predictions
for x, y in zip(xs, ys):
    print(f"Target: {y}, Predicted: {model(x).data:.4f}")
