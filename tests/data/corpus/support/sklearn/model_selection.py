import math
import numpy as np
from .datasets import _rng
def train_test_split(*arrays, test_size=0.25, random_state=None):
    n = len(arrays[0]); t = math.ceil(test_size * n)
    p = _rng(random_state).permutation(n)
    out = []
    for a in arrays: out += [a[p[t:]], a[p[:t]]]
    return out
