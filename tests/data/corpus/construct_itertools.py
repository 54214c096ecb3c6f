# kind: construct
import itertools
print(list(itertools.product("ab", [1, 2])), list(itertools.combinations([1, 2, 3], 2)))
