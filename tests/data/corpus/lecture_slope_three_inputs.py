# kind: lecture
a = 3.0
b = -2.0
c = 5.0
d = a*b + c
print(d)

h = 0.001

# nudge a
d1 = a*b + c
a += h
d2 = a*b + c
print('d1', d1)
print('d2', d2)
print('slope', (d2 - d1)/h)

a = 3.0
d1 = a*b + c
b += h
d2 = a*b + c
print('slope of b', (d2 - d1)/h)

b = -2.0
d1 = a*b + c
c += h
d2 = a*b + c
print('slope of c', (d2 - d1)/h)
