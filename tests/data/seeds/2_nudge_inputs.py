h = 0.0001
a = 2.0; b = -3.0; c = 10.0
d1 = a * b + c
# dd/da: bump a, measure change in d
a += h
d2 = a * b + c
print("dd/da =", (d2 - d1) / h) # => -3.0 (which is b)
