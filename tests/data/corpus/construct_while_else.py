# kind: construct
n = 3
while n:
    n -= 1
else:
    print("else", n)
