# kind: python
edges = {('a', 'c'), ('b', 'c'), ('c', 'd'), ('a', 'd')}
nodes = {n for e in edges for n in e}
print(sorted(nodes), len(edges))
leaves = nodes - {b for _, b in edges}
print(sorted(leaves), sorted(nodes & {'a', 'z'}), sorted(leaves | {'x'}))
order = []
seen = set()
def visit(n):
    if n in seen:
        return
    seen.add(n)
    for a, b in sorted(edges):
        if b == n:
            visit(a)
    order.append(n)
visit('d')
print(order, list(reversed(order)))
print(frozenset([1, 2]) == {2, 1}, {1} <= {1, 2}, seen.issuperset(leaves))
