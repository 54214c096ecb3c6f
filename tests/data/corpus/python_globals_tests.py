# kind: python
import math
class Value:
    def __init__(self, data): self.data = data
    def __add__(self, o): return Value(self.data + (o.data if isinstance(o, Value) else o))
    def __eq__(self, o): return self.data == getattr(o, "data", o)
    def relu(self): return Value(max(0, self.data))
def test_add():
    assert Value(1) + Value(2) == 3
def test_relu():
    assert Value(-1).relu() == 0
    assert Value(2.5).relu() == 2.5
def test_broken():
    assert Value(1) + 1 == 3, "1 + 1 should be 3?"
def test_error():
    raise KeyError("oops")
def run_tests():
    passed = failed = 0
    for name, fn in sorted(globals().items()):
        if name.startswith("test_") and callable(fn):
            try:
                fn()
            except AssertionError as e:
                failed += 1
                print(f"FAIL {name}: {e}")
            except Exception as e:
                failed += 1
                print(f"ERROR {name}: {type(e).__name__}: {e}")
            else:
                passed += 1
                print(f"ok   {name}")
    print(f"{passed} passed, {failed} failed")
    return failed == 0
if __name__ == "__main__":
    ok = run_tests()
    print("ALL GOOD" if ok else "SOME FAILED")
