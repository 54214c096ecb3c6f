# kind: construct
class Row:
    def __init__(self, *v): self.v = v
    def __getitem__(self, i): return self.v[i]
    def __len__(self): return len(self.v)
    def __contains__(self, x): return x in self.v
r = Row(4, 5)
print(r[1], len(r), list(r), 5 in r)
