# kind: python
import math
x, n, s = 3.14159265, 42, "grad"
print(f"{x:.2f}|{x:10.3f}|{x:<10.1f}|{x:^10.2e}|{x:+.1f}|{n:05d}|{n:#x}|{n:b}|{n:,}|{1234567.891:,.2f}|{n:>6}|{s:*^10}|{s!r:>8}|{0.256:.1%}")
print(f"{n=} {x=:.3f} {s=!s} {n*2=} { {'a': 1}['a'] } {'nested ' + f'{n}'}")
print("%5.2f %-6s|%+d %e %g %g %%" % (x, s, n, x, 1e-10, 1e10), "%(a)s-%(b)03d" % {"a": 1, "b": 2})
print("{:>8} {:<8} {:^8}".format("r", "l", "c"), "{0}{1}{0}".format("a", "b"), "{x[0]} {y.real}".format(x=[9], y=4), "{:{w}.{p}f}".format(x, w=9, p=2))
print(1e16, 1e15, 123456789.123456789, 0.1+0.2, 1/3, 2/3, 1e-5, 0.0001, -0.0, float("inf"), float("nan"), 1e22, 5e-324, 1.0, 100.0, 1e100)
print(repr("it's"), repr('a"b'), repr("a\nb\t\\"), 'é', ascii('é'), "tab\tx", r"\n", b"by\x00", "\u2192", len("añ"))
print(str(True), [True, None, 1.5, "x", (1,), [], {}, set(), {1}], (), {"k": [1, {"n": None}]}, range(3), slice(1, 2))
print("abc".center(9, "-"), "a,b,,c".split(","), " x y ".split(), "x".zfill(3), "Hello".swapcase(), "hello world".title(), "a-b".partition("-"), "abc"[::-1])
print("x".ljust(4) + "|", "aXbX".replace("X", "_", 1), "tEst".capitalize(), "abc".startswith(("a", "b")), "12".isdigit(), "a1".isalnum(), "\n".join(["p", "q"]), "a\nb".splitlines())
print("%s %r %s" % ("a", "a", [1, 'b']), "%c%c" % (65, "B"), "%x %o %X" % (255, 8, 255), "%08.3f" % x, "%.3s" % "abcdef", "%*d" % (5, 3))
rows = [("lr", .1, 10), ("momentum", .95, 200)]
w = max(len(r[0]) for r in rows)
for name, a, b in rows: print(f"{name:<{w}} | {a:>6.3f} | {b:>5d}")
print("-" * 20, "=" * 5, sep="\n"); print("a", "b", sep="", end="!\n"); print(); print(*[1, 2, 3], sep=", ")
print(round(2.5), round(3.5), round(2.675, 2), round(-1.5), round(1234, -2), int(-2.7), -7 // 2, -7 % 3, 7 % -3, divmod(-7, 2), 2**-1, 2**100, 10**20 // 3, 0b101, 0xff, 1_000)
print(math.floor(-1.5), math.ceil(1.2), math.trunc(-1.7), math.gcd(12, 18), math.factorial(10), math.comb(5, 2), math.hypot(3, 4), math.isclose(.1+.2, .3), math.inf > 1, math.prod([1, 2, 3]), math.fsum([.1]*10), math.copysign(1, -0.0), math.tau, math.e)
print(f"{x!r:.4}|{None}|{[1, 2]}|{True:d}|{1e-7:g}|{12345678:g}|{1.0:g}|{x:.3}|{1e6:.0f}|{n:e}|{-n:08.2f}|{n: d}|{1e10:,}|{'s':5}|{5:5}|{5:<5}|")
print(f"{'a' if n > 3 else 'b'} {lambda_ if (lambda_ := 5) else 0} {{}} {n:{'>'}{10}} {s[1:]} {s.upper()!r}")
