# kind: construct
import math
print(math.sqrt(16), math.floor(-1.5), math.gcd(12, 18), math.isclose(0.1 + 0.2, 0.3), math.factorial(5), math.hypot(3, 4))
