# kind: construct
d = {"a": 1}
d.update(b=2); d.setdefault("c", 3)
print(d, list(d.keys()), list(d.values()), d.pop("a"), d.get("z"))
