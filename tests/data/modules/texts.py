s = "Hello, World"
for r in (
    s.upper(),
    s.lower(),
    s.title(),
    s.swapcase(),
    s.center(20, "*"),
    s.ljust(15) + "|",
    s.rjust(15),
    s.zfill(15),
    s.split(", "),
    s.partition(", "),
    s.rpartition("o"),
    s.replace("l", "L"),
    s.replace("l", "L", 2),
    s.find("o"),
    s.rfind("o"),
    s.index("W"),
    s.count("l"),
    s.startswith(("He", "x")),
    s.endswith("ld"),
    s.strip("Hd"),
    " x ".strip(),
    "a\tb".expandtabs(4),
    "-".join(["a", "b"]),
    s.encode(),
    s.isalpha(),
    "abc".translate(str.maketrans("ab", "xy")),
    "a,b,,c".split(","),
    "a b  c".split(),
    "a b c d".rsplit(None, 1),
    "x\ny\r\nz".splitlines(),
    "ß".casefold(),
    "12".isdigit(),
    s.removeprefix("He"),
    s.removesuffix("ld"),
    "abc".capitalize(),
    "".join(reversed("abc")),
):
    print(repr(r))
print("{} {}".format(1, 2.5), "{1} {0}".format("a", "b"), "{x:.3f}".format(x=3.14159))
print(
    "{:>10}|{:<10}|{:^10}|{:+d}|{:,}|{:.2%}|{:e}|{:b}|{:#x}|{!r}|{!s}".format(
        "a", "b", "c", 5, 1234567, 0.1234, 12345.678, 10, 255, "q", "q"
    )
)
print("{0[0]} {0[1]} {d[key]} {{}}".format([1, 2], d={"key": 3}), "{:{}}|".format("a", 5))
print(
    "%s %r %d %5.2f %-5s| %05d %x %o %e %g %% %c"
    % ("a", "b", 3.7, 3.14159, "c", 42, 255, 8, 1e5, 1e-7, "z")
)
print(
    "%(a)s and %(b)d" % {"a": 1, "b": 2},
    "%s" % [1, 2],
    "%s %s" % (None, True),
    "%.3s" % "abcdef",
    "%*d" % (5, 3),
)
for f in (
    lambda: "%d" % "x",
    lambda: "%s %s" % (1,),
    lambda: "%s" % (1, 2),
    lambda: "abc".index("z"),
    lambda: "{} {}".format(1),
    lambda: "{a}".format(b=1),
    lambda: ",".join([1]),
    lambda: "a".foo,
    lambda: "abc".split(""),
    lambda: int("x"),
    lambda: float("y"),
    lambda: "{:d}".format(1.5),
    lambda: "a".center(),
    lambda: "".join(5),
    lambda: format(3.5, "d"),
    lambda: format([], "5"),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(f"{3.14159:10.3f}|{'a':>5}|{1e10:g}|{12345.678:,.2f}|{True}|{None}|{[1.5]!r:>8}|{5:03d}")
print(
    format(3.14159, ".2f"),
    format("a", ">4"),
    format(5),
    ascii("é"),
    str(b"ab", "utf-8"),
    b"a".hex(),
)
print(str.upper("abc"), list(map(str.strip, [" a ", "b "])), "a" in "abc", "abc" < "abd")
