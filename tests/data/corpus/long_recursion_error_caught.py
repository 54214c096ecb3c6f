# kind: long
def down(n):
    return 0 if n == 0 else 1 + down(n - 1)

print(down(500))
try:
    down(100_000)
except RecursionError:
    print("too deep")
