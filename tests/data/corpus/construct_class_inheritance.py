# kind: construct
class A:
    def hi(self): return "A"
class B(A):
    def hi(self): return super().hi() + "B"
print(B().hi(), isinstance(B(), A))
