# kind: python
import math

def safe_log(x):
    try:
        return math.log(x)
    except ValueError:
        return float('-inf')
    finally:
        calls.append(x)

calls = []
print(safe_log(1.0), safe_log(0.0), safe_log(-1))
print(calls)
try:
    1 / 0
except ZeroDivisionError as e:
    print(type(e).__name__)
else:
    print("not reached")

class GradientError(Exception):
    pass

def check(g):
    if g != g:
        raise GradientError(f"bad gradient {g}")
    return g

try:
    check(float('nan'))
except (GradientError, KeyError) as e:
    print(e)
