# kind: class
class Module(object):
    def __init__(self):
        object.__setattr__(self, "_params", {})
        object.__setattr__(self, "_children", {})

    def __setattr__(self, key, val):
        if isinstance(val, Module):
            self._children[key] = val
        elif isinstance(val, float):
            self._params[key] = val
        else:
            object.__setattr__(self, key, val)

    def __getattr__(self, key):
        if key in self._params:
            return self._params[key]
        if key in self._children:
            return self._children[key]
        raise AttributeError(f"{type(self).__name__} has no attribute {key!r}")

    def __delattr__(self, key):
        if key in self._params:
            del self._params[key]
        else:
            object.__delattr__(self, key)

    def __repr__(self):
        lines = [f"{type(self).__name__}("]
        for k, v in self._params.items():
            lines.append(f"  {k}={v:.3f}")
        for k, v in self._children.items():
            lines.append(f"  ({k}): " + repr(v).replace("\n", "\n  "))
        return "\n".join(lines + [")"])

class Lin(Module):
    def __init__(self, w):
        super().__init__()
        self.w = w
        self.bias = 0.25
        self.name = "lin"
    def forward(self, x):
        return self.w * x + self.bias

class Two(Module):
    def __init__(self):
        super().__init__()
        self.a = Lin(1.5)
        self.b = Lin(-2.0)

t = Two()
print(t)
print(t.a.forward(2), t.b.w, t.a.name)
t.a.w = 9.0
print(t.a._params)
del t.a.w
print(t.a._params, hasattr(t.a, "w"))
try:
    t.zzz
except AttributeError as e:
    print("AttributeError:", e)
setattr(t.b, "bias", 7.0)
print(getattr(t.b, "bias"), getattr(t.b, "nope", None))
