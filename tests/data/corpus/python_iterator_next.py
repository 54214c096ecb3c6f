# kind: python
def batches(items, size):
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch

it = batches(range(7), 3)
print(next(it))
print(next(it))
print(next(it))
print(next(it, 'done'))
print([sum(b) for b in batches([1, 2, 3, 4], 2)])
