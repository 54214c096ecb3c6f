# kind: construct
d = {"a": 1, "b": 2}
del d["a"]
print(d)
