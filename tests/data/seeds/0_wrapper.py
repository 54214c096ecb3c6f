class Value:
    def __init__(self, data: float, _children: tuple =(), _op: str = ''):
        self.data = data
        self._prev = set(_children)
        self._op = _op

    def __repr__(self) -> str:
        return f"Value(data={self.data})"

a = Value(2.0)
b = Value(3.0)
print(a) # Value(data=2.0)
print(a._prev) # set() — no parents, this is a leaf
print(a._op) # '' — no operation produced this
