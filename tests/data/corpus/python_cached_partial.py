# kind: python
from functools import partial, lru_cache, cached_property, wraps, singledispatch, reduce, cache
from itertools import chain, product, accumulate, islice, count, cycle, repeat, pairwise, zip_longest, groupby, combinations, permutations, takewhile, dropwhile, starmap, tee, compress
import operator as op, time
def timed(label=None):
    def outer(f):
        @wraps(f)
        def inner(*a, **k):
            t0 = time.perf_counter()
            r = f(*a, **k)
            dt = time.perf_counter() - t0
            assert dt >= 0
            inner.calls += 1
            print(f"[{label or f.__name__}] call {inner.calls}")
            return r
        inner.calls = 0
        return inner
    return outer
@timed()
def poly(coefs, x): return reduce(lambda acc, c: acc*x + c, coefs)
@timed("deriv")
def dpoly(coefs, x, h=1e-5): return (poly(coefs, x+h)-poly(coefs, x-h))/(2*h)
print(poly([1, 2, 3], 2)); print(round(dpoly([1,2,3], 2.0), 6))
print(poly.__name__, dpoly.calls)
@lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n-1)+fib(n-2)
print(fib(60), fib.cache_info())
class Circle:
    def __init__(self, r): self.r = r
    @cached_property
    def area(self):
        print("computing"); return 3.14159*self.r**2
c = Circle(2); print(c.area, c.area); c.r = 3; print(c.area); del c.area; print(c.area)
scale = partial(op.mul, 3); print(list(map(scale, range(4))), scale.args, scale.func is op.mul)
print(list(accumulate([1,2,3,4], op.mul)), list(islice(count(10, 5), 3)), list(pairwise("abcd")))
print([(k, len(list(g))) for k, g in groupby(sorted("mississippi"))])
print(list(chain.from_iterable([[1],[2,3]])), list(product("ab", repeat=2))[:3], list(zip_longest([1,2],[3], fillvalue=0)))
@singledispatch
def show(x): return f"obj {x}"
@show.register
def _(x: int): return f"int {x}"
@show.register(list)
def _(x): return "list " + ", ".join(map(show, x))
print(show(3), show("s"), show([1, "b", 2.5]), sep=" | ")
print(list(starmap(pow, [(2,3),(3,2)])), list(takewhile(lambda x: x<3, [1,2,3,1])), list(compress("abcd", [1,0,1,0])))
print(list(combinations([1,2,3],2)), list(permutations([1,2,3],2))[:2])
