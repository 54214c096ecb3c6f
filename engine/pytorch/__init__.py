"""What PyTorch does in a program: each operation forward and backward, in its true order.

`record` holds it as plain data, and `recorder` writes it down. Only `figures`, `modes`, `passes`,
`recorder` and `recompute` import PyTorch, and nothing imports them before a program is recorded.
"""
