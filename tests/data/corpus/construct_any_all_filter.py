# kind: construct
print(any([0, 1]), all([1, 0]), list(filter(lambda x: x > 1, [1, 2, 3])))
