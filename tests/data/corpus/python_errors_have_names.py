# kind: python
def attempt(f):
    try:
        return f()
    except Exception as e:
        return type(e).__name__

print(attempt(lambda: [1, 2][5]), attempt(lambda: {}['k']), attempt(lambda: int('x')))
print(attempt(lambda: None + 1), attempt(lambda: undefined_name), attempt(lambda: (1).nothing))
print(attempt(lambda: 'a' < 1), attempt(lambda: len(5)), attempt(lambda: [].pop()))
