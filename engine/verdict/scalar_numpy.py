"""The part of NumPy that a class of single numbers uses, as the text of a module.

Hidden programs run in plain Python, without libraries. What is not here ends a program with
NotHere, and the class is not tested: it is no mistake of the class.
"""

from __future__ import annotations

NOT_HERE = "NotHere"
"""The name of the exception."""

SCALAR_NUMPY = """\
import math, operator, sys, types

class NotHere(BaseException):
    pass

def single(x, *options, **more):
    if not isinstance(x, (int, float)):
        raise NotHere("an array of " + type(x).__name__)
    return float(x)

def same(x, *options, **more):
    return x

def missing(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise NotHere("np." + name)

numpy = sys.modules["numpy"] = types.ModuleType("numpy")
for name in (
    "exp expm1 log log10 log1p log2 sqrt cbrt sin cos tan sinh cosh tanh floor ceil trunc hypot"
    " isnan isinf isfinite isclose pi e inf nan"
).split():
    if hasattr(math, name):
        setattr(numpy, name, getattr(math, name))
for name in "sin cos tan sinh cosh tanh".split():
    setattr(numpy, "arc" + name, getattr(math, "a" + name))
numpy.ndarray, numpy.generic = type("ndarray", (), {}), type("generic", (), {})
numpy.floating, numpy.integer, numpy.number = float, int, (int, float)
numpy.float64 = numpy.double = float
numpy.array = numpy.asarray = numpy.copy = single
numpy.sum = numpy.mean = numpy.squeeze = numpy.ravel = same
numpy.zeros_like, numpy.ones_like = (lambda x, **more: 0.0), (lambda x, **more: 1.0)
numpy.abs = numpy.absolute = numpy.fabs = abs
numpy.maximum = numpy.fmax = numpy.max = max
numpy.minimum = numpy.fmin = numpy.min = min
numpy.add, numpy.subtract, numpy.multiply = operator.add, operator.sub, operator.mul
numpy.divide = numpy.true_divide = operator.truediv
numpy.power, numpy.negative, numpy.dot = operator.pow, operator.neg, operator.mul
numpy.square, numpy.reciprocal = (lambda x: x * x), (lambda x: 1 / x)
numpy.sign = lambda x: float((x > 0) - (x < 0))
numpy.where = lambda test, yes, no: yes if test else no
numpy.clip = lambda x, low, high: min(max(x, low), high)
numpy.isscalar = lambda x: isinstance(x, (int, float))
numpy.__getattr__ = missing
"""
