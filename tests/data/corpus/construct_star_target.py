# kind: construct
a, *b = range(4)
print(a, b)
