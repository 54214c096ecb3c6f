import math


class Term:
    def __init__(self, value, *links):
        self.value = value
        self.links = links
        self.grad = None

    def __add__(self, other):
        return Term(self.value + other.value, (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        return Term(self.value * other.value, (self, other.value), (other, self.value))

    def exp(self):
        e = math.exp(self.value)
        return Term(e, (self, e))


def users_of(root):
    users = {}
    stack = [root]
    known = {root}
    while stack:
        term = stack.pop()
        for child, slope in term.links:
            users.setdefault(child, []).append((term, slope))
            if child not in known:
                known.add(child)
                stack.append(child)
    return users


def grad_of(term, root, users, memo):
    if term is root:
        return 1.0
    if term not in memo:
        memo[term] = sum(slope * grad_of(user, root, users, memo) for user, slope in users[term])
    return memo[term]


def differentiate(root, terms):
    users = users_of(root)
    memo = {}
    for term in terms:
        term.grad = grad_of(term, root, users, memo)


p = Term(0.3)
q = Term(-1.1)
r = p * q
s = r.exp() + p
t = s * s + r * q
differentiate(t, [p, q, r, s, t])
for name, term in (("p", p), ("q", q), ("r", r), ("s", s)):
    print(name, term.grad)
