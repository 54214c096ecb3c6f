# kind: python
counter = 0
cache = {}

def new_id():
    global counter
    counter += 1
    return counter

def f(x):
    if x in cache:
        return cache[x]
    cache[x] = x*x + new_id()
    return cache[x]

print(f(2), f(3), f(2), counter)
print(cache)
