# kind: construct
class Twice:
    def __call__(self, x): return 2 * x
print(Twice()(21))
