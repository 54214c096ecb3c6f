# kind: construct
a = b = [1]
a.append(2)
print(b, a is b)
