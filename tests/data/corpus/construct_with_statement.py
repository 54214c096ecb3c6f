# kind: construct
class Box:
    def __enter__(self):
        print("in")
        return 5
    def __exit__(self, kind, value, trace):
        print("out", kind is None)
with Box() as five:
    print(five)
