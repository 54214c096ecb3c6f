import math
from collections import deque


class Zahl:
    """Skalar mit Ableitung; die Reihenfolge ergibt sich aus den offenen Kanten."""

    def __init__(self, wert, eltern=(), regel=None):
        self.wert = float(wert)
        self.abl = 0.0
        self.eltern = list(eltern)
        self.regel = regel

    def __add__(self, b):
        b = b if isinstance(b, Zahl) else Zahl(b)

        def regel(g):
            self.abl += g
            b.abl += g

        return Zahl(self.wert + b.wert, [self, b], regel)

    def __mul__(self, b):
        b = b if isinstance(b, Zahl) else Zahl(b)

        def regel(g):
            self.abl += g * b.wert
            b.abl += g * self.wert

        return Zahl(self.wert * b.wert, [self, b], regel)

    def __sub__(self, b):
        b = b if isinstance(b, Zahl) else Zahl(b)

        def regel(g):
            self.abl += g
            b.abl -= g

        return Zahl(self.wert - b.wert, [self, b], regel)

    def softplus(self):
        def regel(g):
            self.abl += g / (1 + math.exp(-self.wert))

        return Zahl(math.log(1 + math.exp(self.wert)), [self], regel)

    def quadrat(self):
        def regel(g):
            self.abl += g * 2 * self.wert

        return Zahl(self.wert ** 2, [self], regel)

    def ableiten(self):
        offen = {}
        stapel = [self]
        gesehen = {id(self)}
        while stapel:
            k = stapel.pop()
            for e in k.eltern:
                offen[id(e)] = offen.get(id(e), 0) + 1
                if id(e) not in gesehen:
                    gesehen.add(id(e))
                    stapel.append(e)
        self.abl = 1.0
        bereit = deque([self])
        while bereit:
            k = bereit.popleft()
            if k.regel is not None:
                k.regel(k.abl)
            for e in k.eltern:
                offen[id(e)] -= 1
                if offen[id(e)] == 0:
                    bereit.append(e)


a = Zahl(1.5)
b = Zahl(-0.5)
c = a * b
d = c.softplus()
e = d - a
f = e * c
g = e.quadrat() + c
h = f * g + d
k = h * h - b
k.ableiten()
print(f"a {a.abl:.6f}  b {b.abl:.6f}  c {c.abl:.6f}")
print(f"d {d.abl:.6f}  e {e.abl:.6f}  h {h.abl:.6f}")
