# kind: python
from functools import reduce, partial
import operator

product = reduce(operator.mul, [1, 2, 3, 4], 1)
scale = partial(operator.mul, 0.5)
print(product, scale(8), list(map(scale, [2, 4])), list(filter(None, [0, 1, '', 'a'])))
print(list(map(lambda a, b: a - b, [5, 6], [1, 2])), list(enumerate('ab', start=1)))

def compose(*fs):
    return reduce(lambda f, g: lambda x: f(g(x)), fs)
print(compose(lambda x: x + 1, lambda x: x * 10)(2))
