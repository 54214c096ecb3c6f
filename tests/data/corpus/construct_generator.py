# kind: construct
def gen(n):
    for i in range(n):
        yield i * i
print(list(gen(4)), sum(gen(3)))
