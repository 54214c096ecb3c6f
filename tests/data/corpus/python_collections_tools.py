# kind: python
from collections import defaultdict, deque, Counter, namedtuple, OrderedDict

grads = defaultdict(float)
for name, g in [('w', 1.0), ('b', 0.5), ('w', -3.0)]:
    grads[name] += g
print(dict(grads), len(grads))
queue = deque([1, 2])
queue.append(3); queue.appendleft(0)
print(queue.popleft(), queue.pop(), list(queue))
print(Counter(['+', '*', '+']).most_common(1))
Edge = namedtuple('Edge', ['source', 'target'])
e = Edge('a', target='b')
print(e, e.source, e[1])
print(list(OrderedDict(a=1, b=2).items()))
