# kind: python
import sys, copy, string, statistics as st, operator
from collections import namedtuple
sys.setrecursionlimit(5000)
Point = namedtuple("Point", ["x", "y"])
class Stack(list):
    def push(self, x): self.append(x)
    def peek(self): return self[-1]
    @property
    def empty(self): return not self
class DefaultDict(dict):
    def __missing__(self, k): self[k] = v = []; return v
def rpn(expr, env={}):
    s = Stack()
    for tok in expr.split():
        if tok in "+-*/":
            b, a = s.pop(), s.pop()
            s.push({"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}[tok](a, b))
        else: s.push(env[tok] if tok in env else float(tok))
    assert len(s) == 1, f"bad expression: {s}"
    return s.peek()
print(rpn("3 4 + 2 *"), rpn("x x * y -", {"x": 5, "y": 1}))
try: rpn("1 2")
except AssertionError as e: print(e)
def tokenize(src):
    out, i = [], 0
    while i < len(src):
        ch = src[i]
        if ch.isspace(): i += 1; continue
        if ch.isdigit() or ch == ".":
            j = i
            while j < len(src) and (src[j].isdigit() or src[j] == "."): j += 1
            out.append(("num", float(src[i:j]))); i = j
        elif ch in string.ascii_letters: out.append(("var", ch)); i += 1
        else: out.append(("op", ch)); i += 1
    return out
class Parser:
    prec = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
    def __init__(self, src): self.t, self.i = tokenize(src), 0
    def peek(self): return self.t[self.i] if self.i < len(self.t) else (None, None)
    def next(self): t = self.peek(); self.i += 1; return t
    def atom(self):
        k, v = self.next()
        if (k, v) == ("op", "("):
            e = self.expr(0)
            if self.next() != ("op", ")"): raise SyntaxError("expected )")
            return e
        if (k, v) == ("op", "-"): return ("neg", self.atom())
        if k in ("num", "var"): return v
        raise SyntaxError(f"unexpected {v!r}")
    def expr(self, p):
        left = self.atom()
        while (o := self.peek())[0] == "op" and o[1] in self.prec and self.prec[o[1]] > p:
            self.next()
            left = (o[1], left, self.expr(self.prec[o[1]] - (o[1] == "^")))
        return left
def ev(e, **env):
    match e:
        case float() | int(): return e
        case str(name): return env[name]
        case ("neg", a): return -ev(a, **env)
        case (op, a, b):
            a, b = ev(a, **env), ev(b, **env)
            return a+b if op == "+" else a-b if op == "-" else a*b if op == "*" else a/b if op == "/" else a**b
for src in ("1 + 2*3", "-(x+1)^2 / 4", "2^3^2", "(1", "1 + )"):
    try:
        tree = Parser(src).expr(0); print(src, "=>", tree, ev(tree, x=3))
    except SyntaxError as e: print(src, "SyntaxError:", e)
d = DefaultDict(); d["a"].append(1); d["b"]; print(d, "c" in d, d.get("c"))
p = Point(1, 2); x, y = p; print(p._replace(x=9), p + (3,), p[0], x+y, Point._make([7, 8]), p._asdict(), Point.__name__)
a = [[1], [2]]; b = copy.copy(a); c = copy.deepcopy(a); a[0].append(9); print(b, c)
print(st.mean([1, 2, 4]), st.median([3, 1, 2]), round(st.stdev([1, 2, 4]), 4), st.mode("aab"), st.pvariance([1, 3]))
s = Stack([1, 2]); s.push(3); print(s, s.empty, s[1:], s + [4], type(s).__name__, isinstance(s, list), sorted(s, reverse=True), s.index(3))
print(string.ascii_lowercase[:5], string.digits, list(map(operator.itemgetter(1), [(1, "a"), (2, "b")])), operator.attrgetter("x")(p))
