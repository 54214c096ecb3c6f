# f(a, b) = a * b + b^2
a = Value(2.0)
b = Value(3.0)
c = a * b      # 6.0
d = b ** 2     # 9.0
e = c + d      # 15.0
 
e.backward()
print(f"e = {e}")         # 15.0
print(f"de/da = {a.grad}")  # b = 3.0
print(f"de/db = {b.grad}")  # a + 2b = 2 + 6 = 8.0
