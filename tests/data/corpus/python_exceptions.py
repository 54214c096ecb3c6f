# kind: python
import math, sys, traceback
class AutogradError(Exception):
    """Base"""
class ShapeError(AutogradError, ValueError):
    def __init__(self, expected, got):
        super().__init__(f"expected {expected}, got {got}")
        self.expected, self.got = expected, got
class GradientError(AutogradError):
    pass
class V:
    def __init__(self, d): self.d = d
    def log(self):
        if self.d <= 0:
            raise GradientError(f"log of non-positive value {self.d}")
        return V(math.log(self.d))
    def __truediv__(self, o):
        try:
            return V(self.d / o.d)
        except ZeroDivisionError as e:
            raise GradientError("division failed") from e
def check(vec, n):
    if len(vec) != n:
        raise ShapeError(n, len(vec))
    return vec
for fn in (lambda: V(-1).log(), lambda: V(1)/V(0), lambda: check([1,2], 3), lambda: V("a")/V(1), lambda: [][1],
           lambda: {}["k"], lambda: int("3.5"), lambda: None.data, lambda: V(1).grad, lambda: V(), lambda: V(1)+V(2),
           lambda: math.sqrt(-1), lambda: math.exp(1000), lambda: float("abc"), lambda: undefined_name, lambda: (1,2)+[3],
           lambda: "a"*"b", lambda: len(5), lambda: max([]), lambda: next(iter([])), lambda: [1,2].index(5), lambda: 1 < "a",
           lambda: sum(["a"]), lambda: check(1, 2), lambda: V(1)(), lambda: sorted([1,"a"]), lambda: {}.pop("x"), lambda: [].pop(),
           lambda: {[1]: 2}, lambda: math.log(0), lambda: "abc".index("z"), lambda: round("x"), lambda: open, lambda: 5 % 0, lambda: 2.0 // 0,
           lambda: [1,2,3][1:2:0], lambda: "x".join([1]), lambda: chr(-1), lambda: iter(5), lambda: (lambda a, b=1: a)(b=2), lambda: "%d" % "x"):
    try:
        r = fn()
    except AutogradError as e:
        print(type(e).__name__, e, repr(e.__cause__), isinstance(e, ValueError))
    except Exception as e:
        print(f"{type(e).__name__}: {e}")
    else:
        print("ok", callable(r))
def f(x):
    try:
        print("try", x)
        if x == 1: return "ret"
        if x == 2: raise KeyError("two")
    except KeyError as e:
        print("except", e)
        return "exc"
    else:
        print("else")
    finally:
        print("finally")
    return "end"
print([f(i) for i in range(3)])
try:
    try: 1/0
    finally: print("cleanup")
except ZeroDivisionError as e:
    e.add_note("while testing")
    print(e.__notes__, e.args)
class Retry:
    def __init__(self, n): self.n = n
    def __call__(self, f):
        def wrapper(*a, **k):
            for i in range(1, self.n+1):
                try: return f(*a, **k)
                except Exception as e: print(f"attempt {i} failed: {e!r}")
            raise RuntimeError(f"gave up after {self.n}")
        return wrapper
@Retry(2)
def flaky(): raise OSError("disk")
try: flaky()
except RuntimeError as e: print(e)
