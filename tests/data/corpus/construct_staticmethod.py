# kind: construct
class S:
    @staticmethod
    def f(x): return x + 1
print(S.f(1), S().f(2))
