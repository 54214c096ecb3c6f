# kind: library
import math, random, time, json, os, sys
import pickle
import logging
from pathlib import Path
from micrograd.engine import Value
from micrograd.nn import MLP

logging.basicConfig(level=logging.INFO, format="%(message)s")
logger = logging.getLogger(__name__)
SEED = int(os.environ.get("SEED", 42))
random.seed(SEED)

start = time.time()
model = MLP(2, [2, 1])
x = [Value(0.3), Value(-0.8)]
t = 0.7
hist = {"loss": [], "grad_norm": []}
for i in range(10):
    y = model(x)
    loss = (y - t) ** 2
    model.zero_grad()
    loss.backward()
    gn = math.sqrt(sum(p.grad ** 2 for p in model.parameters()))
    hist["loss"].append(round(loss.data, 5))
    hist["grad_norm"].append(round(gn, 5))
    for p in model.parameters():
        p.data -= 0.05 * p.grad
elapsed = time.time() - start
print("done", elapsed >= 0)
print(json.dumps(hist))
weights = [p.data for p in model.parameters()]
print(json.dumps([round(w, 3) for w in weights]))
assert hist["loss"][-1] <= hist["loss"][0]
sys.stdout.write("final %.3f\n" % loss.data)
