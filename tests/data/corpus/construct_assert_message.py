# kind: construct
try:
    assert 1 > 2, "no"
except AssertionError as e:
    print(e)
