# kind: network
import random, math, json, copy
from collections import OrderedDict
rng = random.Random(123)
class Net:
    def __init__(self, sizes):
        self.params = OrderedDict()
        for l, (i, o) in enumerate(zip(sizes, sizes[1:])):
            self.params[f"W{l}"] = [[rng.gauss(0, (2/i)**.5) for _ in range(i)] for _ in range(o)]
            self.params[f"b{l}"] = [0.] * o
        self.L = len(sizes) - 1
    def forward(self, x):
        cache = {"a0": x}
        for l in range(self.L):
            z = [sum(w*v for w, v in zip(row, cache[f"a{l}"])) + b for row, b in zip(self.params[f"W{l}"], self.params[f"b{l}"])]
            cache[f"z{l}"] = z
            cache[f"a{l+1}"] = [max(0., q) for q in z] if l < self.L - 1 else z
        return cache[f"a{self.L}"], cache
    def backward(self, cache, dout):
        grads = {}
        d = dout
        for l in reversed(range(self.L)):
            if l < self.L - 1: d = [di * (zi > 0) for di, zi in zip(d, cache[f"z{l}"])]
            grads[f"W{l}"] = [[di * a for a in cache[f"a{l}"]] for di in d]
            grads[f"b{l}"] = d[:]
            d = [sum(self.params[f"W{l}"][o][i] * d[o] for o in range(len(d))) for i in range(len(cache[f"a{l}"]))]
        return grads
def softmax(z):
    m = max(z); e = [math.exp(v - m) for v in z]; s = sum(e)
    return [v / s for v in e]
def xent(z, t):
    p = softmax(z)
    return -math.log(p[t]), [pi - (i == t) for i, pi in enumerate(p)]
net = Net([2, 5, 3])
data = [([math.cos(k*2.1 + .1*j) * (1 + j*.1), math.sin(k*2.1 + .1*j)], k) for k in range(3) for j in range(4)]
before = copy.deepcopy(net.params)
for ep in range(30):
    tot, acc = 0, {}
    for x, t in data:
        out, cache = net.forward(x)
        l, d = xent(out, t)
        tot += l
        for k, g in net.backward(cache, d).items():
            if k[0] == "W":
                for i, row in enumerate(g):
                    for j, v in enumerate(row): net.params[k][i][j] -= .05 * v
            else:
                net.params[k] = [p - .05*v for p, v in zip(net.params[k], g)]
    if ep % 10 == 9: print(ep + 1, f"{tot/len(data):.6f}")
correct = sum(max(range(3), key=lambda i: net.forward(x)[0][i]) == t for x, t in data)
print(f"{correct}/{len(data)}", list(net.params), before["b0"], before != net.params)
x, t = data[0]
eps, k = 1e-5, "W0"
net.params[k][0][0] += eps; lp = xent(net.forward(x)[0], t)[0]
net.params[k][0][0] -= 2*eps; lm = xent(net.forward(x)[0], t)[0]
net.params[k][0][0] += eps
out, cache = net.forward(x)
an = net.backward(cache, xent(out, t)[1])[k][0][0]
print("grad check", abs((lp-lm)/(2*eps) - an) < 1e-7)
text = json.dumps({"b1": [round(v, 4) for v in net.params["b1"]], "epochs": 30, "ok": True, "none": None}, indent=2)
print(text); print(json.loads(text)["epochs"] + 1, json.dumps([1.0, "é", {"a": (1, 2)}]), json.dumps({"z": 1, "a": 2}, sort_keys=True))
