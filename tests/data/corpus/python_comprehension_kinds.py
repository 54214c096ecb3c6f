# kind: python
matrix = [[i*j for j in range(3)] for i in range(3)]
print(matrix)
print([x for row in matrix for x in row if x % 2 == 0])
print({i: i**2 for i in range(4) if i != 2})
print(sorted({x % 3 for x in range(10)}))
print(sum(x*x for x in range(5)), list(zip(*matrix)))
print([a if a > 1 else -a for a in (0, 1, 2)])
pairs = [(x, y) for x in 'ab' for y in (1, 2)]
print(pairs, any(y > 1 for _, y in pairs), all(y > 1 for _, y in pairs))
