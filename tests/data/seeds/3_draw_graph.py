def draw_graph(root):
    """Print computation graph as text tree."""
    def _draw(v, prefix="", is_last=True):
        connector = "└── " if is_last else "├── "
        print(f"{prefix}{connector}{v._op or 'input'}{v.data:.4f} (grad={v.grad:.4f})")
        children = list(v._prev)
        for i, child in enumerate(children):
            extension = "    " if is_last else "│   "
            _draw(child, prefix + extension, i == len(children) - 1)
    _draw(root)
 
# Small example
a = Value(2.0); b = Value(-3.0); c = Value(10.0)
d = a * b + c
d.backward()
draw_graph(d)
