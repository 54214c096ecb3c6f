# kind: class
class Value:
    def __init__(self, data):
        self.data = data
    def __float__(self):
        return float(self.data)
    def __int__(self):
        return int(self.data)
    def __bool__(self):
        return self.data != 0
    def __round__(self, n=None):
        return Value(round(self.data, n))
    def __format__(self, spec):
        return format(self.data, spec)
    def __str__(self):
        return f"~{self.data}"

v = Value(2.71828)
print(float(v), int(v), bool(v), bool(Value(0)))
print(f"{v:.2f} {v:8.3f}| {v!s}")
print(round(v, 1), "yes" if v else "no")
