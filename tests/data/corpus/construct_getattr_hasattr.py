# kind: construct
class O: pass
o = O()
setattr(o, "x", 3)
print(getattr(o, "x"), hasattr(o, "y"), getattr(o, "y", None))
