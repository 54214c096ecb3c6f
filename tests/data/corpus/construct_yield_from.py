# kind: construct
def g():
    yield 1
    yield from (2, 3)
print(list(g()))
