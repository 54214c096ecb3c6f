# kind: python
# string methods and formatting in a "training log"
log = """\
epoch=1 loss=2.3026 lr=1e-1
epoch=2 loss=1.6094 lr=1e-1

epoch=3 loss=0.6931 lr=1e-2  # dropped
"""
records = []
for n, line in enumerate(log.splitlines(), 1):
    line = line.partition("#")[0].strip()
    if not line:
        print(f"line {n} is empty")
        continue
    rec = dict(item.split("=") for item in line.split())
    rec = {k: int(v) if v.isdigit() else float(v) for k, v in rec.items()}
    records.append(rec)
print(records)
best = min(records, key=lambda r: r["loss"])
print("best", best, sep=": ")
print(", ".join(f"{k}={v:.2g}" for k, v in best.items()))
print("loss".center(20, "*"), "lr".rjust(6), "x".ljust(3) + "|", "-".join("abc").title(), "ab12".isalnum())
print(f"{1234567.891:,.2f} {0.000012345:.3e} {255:#x} {255:08b} {0.256:.1%} {-7:+d} {7: d} {'s':>5}{'t':<3}|")
print("%5.2f|%-8s|%03d|%e|%g|%%" % (3.14159, "left", 7, 12345.678, 1e-10))
print("{0}-{1}-{0} {name!r:>8} {2[1]} {3.real}".format("a", "b", [1, 2], 3.0, name="n"))
width, precision = 10, 3
print(f"{3.14159265:{width}.{precision}f}|{'nested ' + f'{1 + 1}'}|{best['loss']=:.2f}|{width = }")
print(repr("tab\t'quote'"), ascii("σ"), "σ".encode(), len("σ".encode("utf-8")))
print(*sorted("backward", key=str.lower), sep="", end="!\n")
print("abcabc".count("bc"), "a,b,,c".split(","), "x=1".removeprefix("x="), "abc".find("z"), "Loss".swapcase())
print("yes" if "loss" in log else "no", log.count("\n"), str.maketrans("ab", "xy"), "aab".translate(str.maketrans("ab", "xy")))
