# kind: construct
x = 3.14159
print(f"{x:.2f} {x:>8.1f} {x!r} {x=:.1f} {{}}")
