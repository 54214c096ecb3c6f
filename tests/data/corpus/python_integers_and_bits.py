# kind: python
print(7 // 2, -7 // 2, 7 % 3, -7 % 3, divmod(17, 5), 2**100)
print(5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 10, 1024 >> 3)
print(0.1 + 0.2, 1e16 + 1, 3/2, int(3.9), round(2.5), round(3.14159, 2))
print(bin(10), hex(255), int('101', 2), float('1e-3'), abs(-3), pow(2, 5, 7))
print(True + True, 3 == 3.0, not 0, 1 < 2 < 3, None is None, bool([]), 5 and 0 or 'x')
