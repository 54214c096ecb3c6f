# kind: construct
try:
    print("body")
    raise ValueError("x")
except ValueError as e:
    print("caught", e)
finally:
    print("end")
