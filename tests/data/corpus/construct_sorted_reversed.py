# kind: construct
print(sorted([3, 1, 2], reverse=True), list(reversed([1, 2, 3])))
