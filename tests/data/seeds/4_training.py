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
