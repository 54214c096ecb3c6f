"""Small tensors with PyTorch's semantics: elements, gradients, networks, random numbers."""
