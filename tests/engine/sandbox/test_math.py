"""Numbers inside are the host's, to the last bit."""

import builtins
import math
import random
import struct

from engine.sandbox.inside.real_functions import OF_ONE, OF_TWO
from tests.engine.sandbox.programs import error, printed
from tests.support.each import for_each

SEED = 2026
COUNT = 2_000
PROGRAM = """
import math, random, struct
draw = random.Random({seed}).uniform
results = []
for turn in range({count}):
    scale = 10.0 ** (turn % 7 - 3)
    numbers = [draw(-scale, scale) for _ in range({arity})]
    try:
        results.append(math.{name}(*numbers))
    except (ValueError, OverflowError):
        results.append(math.nan)
"""
SHOWN = "print(struct.pack('<%dd' % len(results), *results).hex())"


def own(program: str) -> list[float]:
    """The results of the program in this process."""
    scope: dict[str, list[float]] = {}
    exec(program, scope)  # noqa: S102 - the text above
    return scope["results"]


@for_each("name", OF_ONE + OF_TWO)
def test_a_function_gives_the_host_s_bits(name: str) -> None:
    arity = 1 + (name in OF_TWO)
    program = PROGRAM.format(seed=SEED, count=COUNT, arity=arity, name=name)
    wanted = own(program)
    assert sum(not math.isnan(number) for number in wanted) > COUNT // 10
    found = bytes.fromhex(printed(program + SHOWN))
    assert found == struct.pack(f"<{COUNT}d", *wanted)


@for_each("name", ["sqrt", "hypot", "fmod", "remainder", "fabs", "degrees"])
def test_a_function_that_is_not_asked_of_the_host_is_the_same_everywhere(name: str) -> None:
    arity = 1 + (name in {"hypot", "fmod", "remainder"})
    program = PROGRAM.format(seed=SEED, count=COUNT, arity=arity, name=name)
    assert bytes.fromhex(printed(program + SHOWN)) == struct.pack(f"<{COUNT}d", *own(program))


def test_powers_give_the_host_s_bits() -> None:
    draw = random.Random(SEED).uniform
    pairs = [(draw(-9, 9), draw(-9, 9)) for _ in range(COUNT)] + [(7, -3), (0.1, 2), (2.0, True)]
    program = (
        f"for x, y in {pairs}:\n    z = pow(x, y)\n    print(z.hex() if type(z) is float else z)"
    )
    wanted = [pow(x, y) for x, y in pairs]
    lines = printed(program).splitlines()
    for line, z in zip(lines, wanted, strict=True):
        if isinstance(z, float):
            assert line == z.hex()


def test_a_normal_draw_has_the_host_s_bits() -> None:
    draw = random.Random(SEED)
    wanted = [draw.gauss(0.0, 1.0).hex() for _ in range(500)]
    program = f"import random\ndraw = random.Random({SEED})\n"
    program += "for _ in range(500): print(draw.gauss(0.0, 1.0).hex())"
    assert printed(program).split() == wanted


def test_logarithms_of_integers_beyond_floats() -> None:
    program = "import math\nprint(math.log10(10**400), math.log2(2**5000), math.log(8, 2))"
    assert printed(program) == f"400.0 5000.0 {math.log(8) / math.log(2)}\n"


def test_exceptions_are_the_function_s_own() -> None:
    assert error("import math\nmath.exp(1000)").endswith("OverflowError: math range error\n")
    assert "TypeError: must be real number, not str" in error("import math\nmath.sin('1')")
    assert "ValueError" in error("import math\nmath.acos(2.0)")
    assert "TypeError" in error("import math\nmath.sin(1, 2)")
    assert "ZeroDivisionError" in error("pow(0.0, -1)")


def test_a_function_looks_like_the_built_in_one() -> None:
    program = """
import math, operator, pickle
class Angle:
    turn = math.sin
    def __float__(self):
        print("once")
        return 0.5
print(math.sin, pow, print, math.sin.__name__, pickle.loads(pickle.dumps(math.sin)) is math.sin)
print(Angle().turn(0.0), math.sin(Angle()) == math.sin(0.5), operator.pow(2.0, 3), pow(7, 2, 5))
"""
    names = "<built-in function sin> <built-in function pow> <built-in function print> sin True\n"
    assert printed(program) == f"{names}once\n0.0 True 8.0 4\n"
    assert "sin" in vars(math)
    assert isinstance(builtins.pow, type(len))  # nothing of this reaches the host
