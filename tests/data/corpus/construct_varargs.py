# kind: construct
def f(*a, **k): return a, k
print(f(1, 2, x=3), f(*[1], **{"y": 2}))
