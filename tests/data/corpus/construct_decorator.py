# kind: construct
def twice(f):
    return lambda x: f(f(x))
@twice
def inc(x): return x + 1
print(inc(5))
