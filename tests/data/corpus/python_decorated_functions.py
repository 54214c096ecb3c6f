# kind: python
import functools

def logged(f):
    calls = 0
    @functools.wraps(f)
    def inner(*args, **kwargs):
        nonlocal calls
        calls += 1
        result = f(*args, **kwargs)
        print(f"{f.__name__}{args} -> {result} (call {calls})")
        return result
    return inner

@logged
def square(x):
    return x*x

def numeric(h):
    def decorator(f):
        return lambda x: (f(x + h) - f(x - h)) / (2*h)
    return decorator

@numeric(0.5)
def cube(x):
    return x**3

square(3)
square(4)
print(cube(2.0), square.__name__)
