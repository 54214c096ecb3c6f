# kind: construct
s = {3, 1}
s.add(2); s.discard(9)
print(sorted(s), 1 in s, s & {1, 9}, len(s | {7}))
