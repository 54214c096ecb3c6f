# kind: python
from collections import defaultdict, deque
import heapq

class Node:
    def __init__(self, name, fn=None, *parents):
        self.name, self.fn, self.parents = name, fn, parents
        self.value = None
        self.grad = 0.0
    def __lt__(self, other): return self.name < other.name
    def __repr__(self): return self.name

def toposort(root):
    indegree, children, todo, seen = defaultdict(int), defaultdict(list), [root], {root.name}
    while todo:
        n = todo.pop()
        for p in n.parents:
            children[p.name].append(n)
            indegree[n.name] += 1
            if p.name not in seen:
                seen.add(p.name)
                todo.append(p)
    by_name = {}
    def collect(n):
        by_name[n.name] = n
        for p in n.parents: collect(p)
    collect(root)
    heap = [n for n in by_name.values() if not indegree[n.name]]
    heapq.heapify(heap)
    while heap:
        n = heapq.heappop(heap)
        yield n
        for c in children[n.name]:
            indegree[c.name] -= 1
            if not indegree[c.name]:
                heapq.heappush(heap, c)

OPS = {"add": (lambda a, b: a + b, lambda a, b: (1, 1)), "mul": (lambda a, b: a * b, lambda a, b: (b, a)),
       "sq": (lambda a: a * a, lambda a: (2 * a,))}
x, w, b = Node("x"), Node("w"), Node("b")
m = Node("m", "mul", x, w)
s = Node("s", "add", m, b)
t = Node("t", "sq", s)
u = Node("u", "add", t, x)
order = list(toposort(u))
print(order)
for given in ({"x": 1.0, "w": 2.0, "b": -0.5}, {"x": -2.0, "w": 0.5, "b": 3.0}):
    for n in order:
        n.grad = 0.0
        n.value = OPS[n.fn][0](*(p.value for p in n.parents)) if n.fn else given[n.name]
    u.grad = 1.0
    for n in reversed(order):
        if n.fn:
            for p, d in zip(n.parents, OPS[n.fn][1](*(p.value for p in n.parents))):
                p.grad += d * n.grad
    print({n.name: (n.value, n.grad) for n in order})
