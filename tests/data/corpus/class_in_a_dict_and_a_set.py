# kind: class
class Value:
    def __init__(self, data):
        self.data = data

values = [Value(1.0), Value(2.0), Value(1.0)]
index = {v: i for i, v in enumerate(values)}
print([index[v] for v in values], len(set(values)))
grads = {id(v): 0.0 for v in values}
print(len(grads), id(values[0]) in grads)
