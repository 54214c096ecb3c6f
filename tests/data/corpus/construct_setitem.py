# kind: construct
class M:
    def __init__(self): self.d = {}
    def __setitem__(self, k, v): self.d[k] = v
m = M(); m["a"] = 1
print(m.d)
