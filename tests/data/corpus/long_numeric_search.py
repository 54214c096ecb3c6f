# kind: long
best = None
i = 0
while i <= 200:
    j = 0
    while j <= 200:
        x, y = i/100 - 1, j/100 - 1
        z = (x - 0.25)**2 + (y + 0.5)**2
        if best is None or z < best[0]:
            best = (z, x, y)
        j += 1
    i += 1
print(best)
