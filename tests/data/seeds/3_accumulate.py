a = Value(3.0)
b = a + a  # a is used twice
 
b.backward()
print(f"db/da = {a.grad}")  # 2.0, not 1.0 — both paths contribute
