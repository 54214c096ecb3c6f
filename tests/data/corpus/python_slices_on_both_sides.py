# kind: python
w = [0.0] * 6
w[1:3] = [1.5, 2.5]
w[::2] = [9, 8, 7]
print(w, w[1:-1:2], len(w))
del w[0]
print(w)
w[-1] += 1
w += [1]
print(w, w[:2] + w[4:])
grid = [[0]*3 for _ in range(2)]
grid[1][2] = 5
print(grid, [row[:] for row in grid] == grid)
