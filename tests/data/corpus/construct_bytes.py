# kind: construct
b = b"ab\x00"
print(b, len(b), b[0])
