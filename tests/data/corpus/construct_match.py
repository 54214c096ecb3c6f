# kind: construct
for x in (0, [1, 2], "s"):
    match x:
        case 0: print("zero")
        case [a, b]: print(a + b)
        case str(): print("text")
