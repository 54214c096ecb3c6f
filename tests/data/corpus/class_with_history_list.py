# kind: class
class Value:
    log = []

    def __init__(self, data, op="input"):
        self.data = data
        self.op = op
        self.log.append(f"{op}:{data}")

    def __add__(self, other):
        return Value(self.data + other.data, "add")

    def __sub__(self, other):
        return Value(self.data - other.data, "sub")

d = (Value(5.0) - Value(2.0)) + Value(1.0)
print(Value.log)
print(d.op, len(d.log), d.log is Value.log)
