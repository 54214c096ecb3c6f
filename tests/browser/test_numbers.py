"""The browser writes numbers exactly as the server does."""

import math
import random
import re
import struct

from playwright.sync_api import Page

from engine.numbers import full, in_equation, short, spoken
from tests.browser.explore_page import Explore

HARD = [
    *(0.0, -0.0, 1.0, -1.0, 2 / 3, -2 / 3, 0.1, 0.3, 1 / 3, math.pi, math.nan, math.inf, -math.inf),
    # the least and the largest numbers, subnormal ones too
    *(5e-324, -5e-324, 1.5e-323, 2.2250738585072014e-308, 2.225073858507201e-308, -1e-310),
    *(1.7976931348623157e308, -1.7976931348623157e308, 8.98846567431158e307),
    # where the way of writing changes: 1e-3, 1e5, repr's 1e-4 and 1e16, exponents of three digits
    *(1e-3, 9.99999e-4, 0.00099995, 0.000999949999, 1e-4, 9.9999e-5, 1e-5, -1e-3, 0.0010005),
    *(99999.99994, 99999.99995, 99999.99996, 99999.9999999, 1e5, -1e5, -99999.99996, -12345.6789),
    *(1e15, 1e16, 9999999999999998.0, 1e17, 123456789012345680.0, 2**53 + 0.0, 2**53 + 2.0),
    *(1e21, 1e22, 1e23, 1e99, 1e100, -1e100, 9.99996e99, -9.99996e99, 9.9996e-100, 1e-100, 1e-99),
    # ties in the fourth decimal: multiples of 1/32 lie exactly half way
    *(
        1 / 32,
        3 / 32,
        5 / 32,
        7 / 32,
        -1 / 32,
        0.00003125,
        2.03125,
        2.09375,
        1023.96875,
        99999.96875,
    ),
    # ties in the mantissa: 1.00005e5 and others that a float holds exactly
    *(100005.0, 100015.0, 100025.0, 1000050.0, 1000150.0, 123445000.0, 123455000.0, 1.00005e20),
    *(
        -100005.0,
        2.5,
        0.5,
        1.5,
        1e5 + 0.5,
        100010.0,
        999995.0,
        999985.0,
        99999.5,
        1.23445e15,
        2**-20,
    ),
]


def random_numbers(count: int) -> list[float]:
    """Of every size, with a fixed seed: any bits at all, products of tens, ties."""
    drawn = random.Random(20)
    numbers = [struct.unpack("<d", drawn.randbytes(8))[0] for _ in range(count)]
    numbers += [drawn.uniform(-10, 10) * 10 ** drawn.randint(-12, 18) for _ in range(count)]
    numbers += [round(drawn.uniform(-1e5, 1e5), drawn.randint(0, 8)) for _ in range(count)]
    numbers += [drawn.randint(-(10**7), 10**7) / 32 for _ in range(count)]
    numbers += [
        float(drawn.randint(10**4, 10**5) * 10 + 5) * 10 ** drawn.randint(0, 12)
        for _ in range(count)
    ]
    return [x for x in numbers if math.isfinite(x)]


def test_browser_and_server_write_every_number_alike(page: Page) -> None:
    Explore(page).open()
    source = page.locator("script[type=module]").get_attribute("src") or ""
    assert source.endswith("explore/main.js")
    numbers = HARD + random_numbers(2000)
    written = page.evaluate(
        """async ([module, bits]) => {
          const {short, full, spoken, inEquation} = await import(module)
          const numbers = new Float64Array(new BigUint64Array(bits.map(BigInt)).buffer)
          return [...numbers].map(x =>
            [short(x), full(x), spoken(x), inEquation(x, true), inEquation(x, false)])
        }""",
        [
            re.sub("explore/main.js$", "common/numbers.js", source),
            [str(struct.unpack("<Q", struct.pack("<d", x))[0]) for x in numbers],
        ],
    )
    assert len(written) == len(numbers)
    wrong = [
        (x, texts, expected)
        for x, texts in zip(numbers, written, strict=True)
        if texts
        != (expected := [short(x), full(x), spoken(x), in_equation(x, paren=True), in_equation(x)])
    ]
    assert wrong == []


def test_table_has_the_hard_cases() -> None:
    """The texts that matter, written by hand; the test above carries them over to the browser."""
    assert short(1 / 32) == "0.0312"  # a tie goes to the even digit
    assert short(3 / 32) == "0.0938"
    assert short(100005.0) == "1.0000e+05"
    assert short(100015.0) == "1.0002e+05"
    assert short(-0.0) == "-0.0000"
    assert short(5e-324) == "4.9407e-324"
    assert short(-5e-324) == "-4.941e-324"
    assert short(1.7976931348623157e308) == "1.7977e+308"
    assert short(99999.99996) == "100000.0000"
    assert full(1e16) == "1e+16"
    assert full(1e15) == "1000000000000000.0"
    assert all(len(short(x)) <= 11 for x in HARD)
