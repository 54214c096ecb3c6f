# kind: construct
class K:
    @classmethod
    def make(cls): return cls()
print(type(K.make()).__name__)
