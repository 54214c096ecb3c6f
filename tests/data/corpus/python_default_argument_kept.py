# kind: python
def add(item, items=[]):
    items.append(item)
    return items

print(add(1))
print(add(2))
print(add(3, []), add(4))
