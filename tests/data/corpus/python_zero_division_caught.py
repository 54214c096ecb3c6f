# kind: python
def divide(a, b):
    try:
        return a / b
    except ZeroDivisionError:
        return None

print(divide(1.0, 2), divide(1, 0), divide(0.0, 0.0))
