# kind: python
import math

def safe_exp(x):
    try:
        return math.exp(x)
    except OverflowError:
        return float('inf')

print(safe_exp(1.0), safe_exp(1000), -safe_exp(800) < 0)
try:
    math.sqrt(-1.0)
except ValueError as error:
    print("ValueError")
