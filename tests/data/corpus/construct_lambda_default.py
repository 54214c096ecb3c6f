# kind: construct
fs = [lambda x, i=i: x + i for i in range(3)]
print([f(10) for f in fs])
