a = Value(3.0)
b = a * 2
b.backward()
print(f"After 1st backward: {a.grad}")  # 2.0
 
b = a * 2
b.backward()
print(f"After 2nd backward: {a.grad}")  # 4.0 — accumulated!
