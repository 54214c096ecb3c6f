# kind: construct
print(2**200, 10**30 // 7)
