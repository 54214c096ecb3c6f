# kind: python
import math
import random
random.seed(99)
xs = [random.uniform(-5, 5) for _ in range(5)]
print([round(x, 3) for x in xs])
print(sum(xs), math.fsum(xs), max(xs, key=abs), sorted(xs)[len(xs) // 2])
print(1e16 + 1, 0.1 + 0.2, 1/3, 2**0.5, -7 // 2, -7 % 3, 7.5 // 2, divmod(-7, 2), 10**20, 1e-7, 123456789.123456789)
print(float("inf") > 1e308, float("nan") == float("nan"), math.isnan(float("nan")), -0.0, 5e-324, 1.0, 100.0, 1e22, 1e21)
print(int(3.99), int(-3.99), round(2.5), round(3.5), round(-1.5), round(1234.5678, -2), round(2.675, 2))
print(random.choice("abc"), random.sample(range(10), 3), random.randint(1, 6), round(random.gauss(0, 1), 6), random.random() < 1)
random.shuffle(xs)
print([f"{x:+.2f}" for x in xs], random.choices([1, 2, 3], k=4), round(random.triangular(0, 1, 0.5), 4))
print(math.sqrt(2), math.e, math.pi, math.log(10), math.log2(8), math.log10(1000), math.hypot(3, 4), math.atan2(1, 1), math.degrees(math.pi))
print(bool(0.0), bool(-1), not [], [] or "default", 0 and 1, None is None, 3 if xs else 4, 1 < 2 < 3, 1 == 1.0, True + True)
print(hex(255), bin(5), oct(8), 0b101, 0xff, 1_000_000, 5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 4, 255 >> 2)
try:
    math.sqrt(-1)
except ValueError as e:
    print("ValueError:", e)
try:
    math.exp(1000)
except OverflowError as e:
    print("OverflowError:", e)
try:
    10.0 ** 400
except OverflowError as e:
    print(type(e).__name__, e)
try:
    int("3.5")
except ValueError as e:
    print(e)
try:
    [1, 2][5]
except IndexError as e:
    print(e)
try:
    {}["k"]
except KeyError as e:
    print("KeyError", e)
try:
    undefined_name
except NameError as e:
    print(e)
try:
    None.grad
except AttributeError as e:
    print(e)
try:
    (1, 2)[0] = 3
except TypeError as e:
    print(e)
try:
    "a" + 1
except TypeError as e:
    print(e)
try:
    a, b = [1, 2, 3]
except ValueError as e:
    print(e)
