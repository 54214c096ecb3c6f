import contextlib
import io
import sys
from contextlib import redirect_stdout

f = io.StringIO()
with redirect_stdout(f) as same:
    print("hidden", 1)
    sys.stdout.write("raw\n")
print("shown", repr(f.getvalue()), same is f)
s = io.StringIO("a\nb\nlast")
print([line.strip() for line in s], repr(s.read()), s.getvalue().count("\n"))
b = io.StringIO()
print("x", "y", sep=",", file=b)
b.write("z")
print(repr(b.getvalue()), b.tell())
print("to nowhere", file=sys.stderr)
with io.StringIO() as t:
    t.write("q")
    print(t.getvalue())
s.seek(0)
print(repr(s.readline()), s.readlines(), repr(s.readline()))
s.seek(1)
print(s.write("XYZ"), repr(s.getvalue()), s.tell(), repr(s.read(2)), repr(s.read()))
s.seek(3)
print(s.truncate(), s.getvalue(), s.tell())
try:
    with contextlib.redirect_stdout(io.StringIO()) as inner:
        print("before the error")
        raise ValueError("out")
except ValueError as error:
    print(error, inner.getvalue().split())
with redirect_stdout(f), redirect_stdout(b):
    print("innermost")
print(b.getvalue().splitlines()[-1], len(f.getvalue().splitlines()))
try:
    b.write(3)
except TypeError as error:
    print(error)
