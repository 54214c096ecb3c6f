# kind: python
import heapq, bisect
from collections import deque, Counter, OrderedDict, ChainMap, namedtuple
class Node:
    _ids = 0
    def __init__(self, val, deps=(), rank=0):
        self.val = val; self.deps = list(deps); self.grad = 0.0
        self.rank = rank
        Node._ids += 1
        self.uid = Node._ids
    def __lt__(self, other): return (-self.rank, self.uid) < (-other.rank, other.uid)
    def __repr__(self): return f"N{self.uid}@{self.rank}"
def add(a, b): return Node(a.val+b.val, [(a,1.0),(b,1.0)], max(a.rank,b.rank)+1)
def mul(a, b): return Node(a.val*b.val, [(a,b.val),(b,a.val)], max(a.rank,b.rank)+1)
def backward(root):
    root.grad = 1.0
    heap = [root]; queued = {root.uid}; order = []
    while heap:
        n = heapq.heappop(heap)
        order.append(n)
        for d, l in n.deps:
            d.grad += l*n.grad
            if d.uid not in queued:
                queued.add(d.uid); heapq.heappush(heap, d)
    return order
x = Node(2.0); y = Node(3.0)
z = mul(add(x, y), mul(x, x))
print(backward(z), x.grad, y.grad)
def bfs(root):
    q = deque([(root, 0)]); seen = Counter()
    while q:
        n, d = q.popleft(); seen[d] += 1
        q.extend((c, d+1) for c, _ in n.deps)
    return seen
print(bfs(z), bfs(z).most_common(1))
xs = []
for v in [5, 1, 4, 1, 3]: bisect.insort(xs, v)
print(xs, bisect.bisect_left(xs, 3), bisect.bisect(xs, 1), heapq.nsmallest(2, xs), heapq.nlargest(2, [3,9,4], key=lambda v: -v))
P = namedtuple("P", "x y", defaults=[0]); p = P(3); print(p, p._asdict(), p == (3, 0), p.x + p.y, P._fields)
od = OrderedDict(a=1, b=2); od.move_to_end("a"); print(od, list(od.items()), od.popitem(last=False))
cm = ChainMap({"lr": .1}, {"lr": .5, "m": .9}); print(cm["lr"], cm["m"], dict(cm) == {"lr": .1, "m": .9})
d = deque(maxlen=3)
for i in range(5): d.append(i)
d.rotate(1); print(d, d[0], list(reversed(d)))
c = Counter("abracadabra"); c.subtract("aab"); print(c, +c, c & Counter("abc"), sum(c.values()), list(c.elements())[:4])
