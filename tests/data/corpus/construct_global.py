# kind: construct
g = 1
def bump():
    global g
    g += 1
bump()
print(g)
