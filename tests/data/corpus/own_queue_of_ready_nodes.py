# kind: class
from collections import Counter, deque, OrderedDict
import textwrap, string
log = []
class V:
    _ids = iter(string.ascii_lowercase)
    def __init__(self, d, kids=(), op=None):
        self.d, self.kids, self.op = d, kids, op
        self.g = 0
        self.id = next(V._ids)
    def __add__(s, o): return V(s.d + o.d, (s, o), '+')
    def __mul__(s, o): return V(s.d * o.d, (s, o), '*')
    def __hash__(self): return hash(self.id)
    def __eq__(self, other): return isinstance(other, V) and self.id == other.id
    def __repr__(self): return f'{self.id}:{self.d}'

def bfs(root):
    indeg = Counter()
    q, seen = deque([root]), {root}
    while q:
        n = q.popleft()
        for k in n.kids:
            indeg[k] += 1
            if k not in seen:
                seen.add(k); q.append(k)
    return indeg

def backward(root):
    indeg = bfs(root)
    root.g = 1
    ready = deque([root])
    while ready:
        n = ready.popleft()
        log.append(n.id)
        if n.op == '+':
            for k in n.kids: k.g += n.g
        elif n.op == '*':
            x, y = n.kids
            x.g += y.d * n.g
            y.g += x.d * n.g
        for k in n.kids:
            indeg[k] -= 1
            if not indeg[k]:
                ready.append(k)
a, b = V(2), V(3)
c = a * b
d = c + a
e = d * c
backward(e)
print(e, [(v, v.g) for v in (a, b, c, d, e)])
print(''.join(log), Counter('abracadabra').most_common(2))
table = OrderedDict((v.id, v.g) for v in (a, b, c))
table.move_to_end('a')
print(dict(table), list(table))
print(textwrap.dedent("""
    node  grad
    ----  ----""").strip())
for k, g in table.items(): print(f'{k:^4}  {g:>4}')
print(string.ascii_uppercase[:5].center(11, '*'))
