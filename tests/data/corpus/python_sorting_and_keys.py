# kind: python
results = [('adam', 0.02, 30), ('sgd', 0.31, 50), ('rmsprop', 0.02, 20)]
print(sorted(results, key=lambda r: r[1]))
print(sorted(results, key=lambda r: (r[1], r[2]), reverse=True)[0])
print(min(results, key=lambda r: r[2]), max(r[1] for r in results))
results.sort()
print([name for name, *_ in results])
names = [r[0] for r in results]
names.reverse()
print(names, names.index('sgd'), names.count('adam'))
names.insert(1, 'lion'); names.remove('adam')
print(names, names.pop(), names[::-1], names[-1:])
