import math, random, statistics, operator, string
from math import pi, sqrt as root, log

for x in (0.5, 1, -0.3, 2.0):
    print(
        [
            getattr(math, n)(x)
            for n in (
                "exp",
                "sin",
                "cos",
                "tan",
                "tanh",
                "atan",
                "sinh",
                "cosh",
                "erf",
                "erfc",
                "fabs",
                "floor",
                "ceil",
                "trunc",
                "degrees",
                "radians",
                "expm1",
                "asinh",
                "cbrt",
                "exp2",
            )
        ]
    )
print(
    math.sqrt(2),
    math.log(10),
    math.log(8, 2),
    math.log2(8),
    math.log10(1000),
    math.log1p(0.5),
    math.pow(2, 0.5),
    math.hypot(3, 4),
    math.atan2(1, 2),
    math.gamma(5),
    math.lgamma(5.5),
    math.isclose(1, 1 + 1e-12),
    math.isnan(math.nan),
    math.isinf(math.inf),
    math.copysign(1, -2),
    math.fmod(7, 3),
    math.gcd(12, 18),
    math.lcm(4, 6),
    math.factorial(10),
    math.comb(5, 2),
    math.perm(5, 2),
    math.prod([1, 2, 3]),
    math.fsum([0.1] * 10),
    math.isqrt(17),
    math.dist([0, 0], [3, 4]),
    math.modf(2.5),
    math.frexp(8),
    math.ldexp(0.5, 3),
    math.acos(0.5),
    math.asin(0.5),
    math.atanh(0.5),
    math.acosh(2),
    math.remainder(5, 3),
    math.nextafter(1, 2),
    math.ulp(1),
    math.tau,
    math.e,
    math.inf,
    pi,
    root(3),
    log(2),
)
for f in (
    lambda: math.sqrt(-1),
    lambda: math.log(0),
    lambda: math.exp(1000),
    lambda: math.log(-1),
    lambda: math.sqrt("a"),
    lambda: math.factorial(-1),
    lambda: math.factorial(2.5),
    lambda: math.acos(2),
    lambda: math.pow(0, -1),
    lambda: math.exp(),
    lambda: math.foo,
    lambda: math.gamma(0),
    lambda: math.log(1, 1),
    lambda: math.pow(10, 400),
    lambda: math.comb(2.5, 1),
    lambda: math.cosh(1000),
    lambda: math.isqrt(-1),
    lambda: math.exp(1, 2),
    lambda: math.floor(math.inf),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
for seed in (0, 42, 1337, 2.5, "abc", b"xy", -7, 10**30):
    random.seed(seed)
    print(
        random.random(),
        random.uniform(-1, 1),
        random.randint(1, 6),
        random.choice("abc"),
        random.gauss(0, 1),
        random.sample(range(100), 3),
        random.shuffle([1, 2]),
        random.choices([1, 2, 3], weights=[1, 1, 5], k=4),
        random.randrange(10),
        random.randrange(0, 10, 2),
        random.normalvariate(0, 1),
        random.triangular(),
        random.betavariate(1, 2),
        random.expovariate(1.5),
        random.gammavariate(1, 2),
        random.lognormvariate(0, 1),
        random.vonmisesvariate(0, 1),
        random.paretovariate(2),
        random.weibullvariate(1, 2),
        random.getrandbits(10),
        random.randbytes(3),
    )
xs = list(range(10))
random.shuffle(xs)
print(xs)
r = random.Random(5)
print(r.random(), r.choice([1, 2, 3]), r.uniform(0, 1), r.gauss(0, 1))
st = random.getstate()
a = random.random()
random.setstate(st)
print(a == random.random())
for f in (
    lambda: random.choice([]),
    lambda: random.randint(5, 1),
    lambda: random.sample([1], 2),
    lambda: random.randint(1.5, 2),
    lambda: random.seed([]),
    lambda: random.uniform(1),
    lambda: random.choices([1], weights=[0]),
    lambda: random.foo,
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
d = [1, 2, 2, 3.5]
print(
    statistics.mean(d),
    statistics.median(d),
    statistics.stdev(d),
    statistics.pstdev(d),
    statistics.variance(d),
    statistics.pvariance(d),
    statistics.mode(d),
    statistics.fmean(d),
    statistics.multimode(d),
    statistics.quantiles(d),
    statistics.median_low(d),
    statistics.harmonic_mean(d),
    statistics.correlation(d, [1, 2, 3, 4]),
)
try:
    statistics.mean([])
except statistics.StatisticsError as e:
    print(e)
print(
    operator.add(1, 2),
    operator.mul(2, 3),
    operator.itemgetter(1)([5, 6]),
    operator.itemgetter(0, 1)("ab"),
    operator.neg(3),
    operator.truediv(1, 4),
    operator.eq(1, 1),
    operator.contains([1], 1),
    operator.methodcaller("upper")("a"),
    operator.attrgetter("real")(5),
    operator.not_(1),
    operator.getitem({"a": 1}, "a"),
    operator.pow(2, 3),
    operator.mod(7, 4),
    operator.lt(1, 2),
    operator.is_(None, None),
    sorted({"a": 2, "b": 1}.items(), key=operator.itemgetter(1)),
)
print(string.ascii_lowercase, string.digits, repr(string.punctuation), string.ascii_letters)
