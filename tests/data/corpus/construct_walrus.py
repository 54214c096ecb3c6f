# kind: construct
if (k := 4) > 3:
    print(k)
