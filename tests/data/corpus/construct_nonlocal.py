# kind: construct
def outer():
    n = 0
    def inner():
        nonlocal n
        n += 1
        return n
    inner()
    return inner()
print(outer())
