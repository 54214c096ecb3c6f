# kind: construct
x = [1, 2, 3, 4]
x[1:3] = [9]
print(x)
