# kind: construct
d = {(1, 2): "t", frozenset([1]): "f"}
print(d[1, 2], d[frozenset([1])])
