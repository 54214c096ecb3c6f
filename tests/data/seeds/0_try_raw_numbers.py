a = Value(3.0)
print((2 * a).data) # 6.0 — triggers __rmul__
print((1 + a).data) # 4.0 — triggers __radd__
