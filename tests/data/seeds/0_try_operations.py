a = Value(4.0)
b = Value(2.0)
print((a - b).data) # 2.0
print((a / b).data) # 2.0
print((a ** 2).data) # 16.0
print((-a).data) # -4.0
