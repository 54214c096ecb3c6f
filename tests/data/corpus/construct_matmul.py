# kind: construct
class M2:
    def __init__(self, v): self.v = v
    def __matmul__(self, o): return sum(a*b for a, b in zip(self.v, o.v))
print(M2([1, 2]) @ M2([3, 4]))
