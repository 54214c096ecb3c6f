# kind: construct
x = None
print(x is None, 3 in [1, 2, 3], "a" not in "bcd", x is not None)
