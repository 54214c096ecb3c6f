from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Callable


@dataclass(eq=False)
class Valor:
    dato: float
    padres: list[Valor] = field(default_factory=list)
    derivada: float = 0.0
    atras: Callable[[], None] = lambda: None

    def __add__(self, otro):
        otro = otro if isinstance(otro, Valor) else Valor(otro)
        salida = Valor(self.dato + otro.dato, [self, otro])

        def atras():
            for padre in (self, otro):
                padre.derivada += salida.derivada

        salida.atras = atras
        return salida

    def __mul__(self, otro):
        otro = otro if isinstance(otro, Valor) else Valor(otro)
        salida = Valor(self.dato * otro.dato, [self, otro])

        def atras():
            self.derivada += otro.dato * salida.derivada
            otro.derivada += self.dato * salida.derivada

        salida.atras = atras
        return salida

    def __sub__(self, otro):
        return self + -otro

    def __neg__(self):
        salida = Valor(-self.dato, [self])

        def atras():
            self.derivada -= salida.derivada

        salida.atras = atras
        return salida

    def inverso(self):
        salida = Valor(1 / self.dato, [self])

        def atras():
            self.derivada += -(salida.dato ** 2) * salida.derivada

        salida.atras = atras
        return salida

    def relu(self):
        salida = Valor(max(0.0, self.dato), [self])

        def atras():
            self.derivada += (self.dato > 0) * salida.derivada

        salida.atras = atras
        return salida

    def retroceder(self):
        lista: list[Valor] = []

        def recorrer(v):
            if any(v is w for w in lista):
                return
            for p in v.padres:
                recorrer(p)
            lista.append(v)

        recorrer(self)
        self.derivada = 1.0
        for v in lista[::-1]:
            v.atras()


a = Valor(3.0)
b = Valor(-1.25)
c = a * b
d = c - a
e = d.relu() + c.inverso()
f = (-d).relu() * e
g = f * f + c
g.retroceder()
for nombre, v in (("a", a), ("b", b), ("c", c), ("d", d), ("e", e), ("f", f)):
    print(nombre, round(v.derivada, 6))
