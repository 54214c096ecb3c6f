"""The functions of `math` whose last digits differ from one C library to another.

Inside they are asked of the host, by index: what a program prints is what the host's Python prints.
`sqrt`, `hypot`, `fmod` and `remainder` are exact, or rounded correctly, everywhere.
"""

OF_ONE = (
    *("sin", "cos", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p"),
    *("cbrt", "erf", "erfc", "gamma", "lgamma"),
)
OF_TWO = ("pow", "atan2")
