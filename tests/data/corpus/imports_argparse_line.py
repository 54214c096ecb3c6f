# kind: imports
import argparse
import logging

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger(__name__)

def parse(argv=None):
    p = argparse.ArgumentParser(description="train a line")
    p.add_argument("--lr", type=float, default=0.05, help="learning rate")
    p.add_argument("--steps", type=int, default=40)
    p.add_argument("--verbose", action="store_true")
    return p.parse_args(argv)

args = parse(["--lr", "0.1"])
xs = [0.0, 1.0, 2.0, 3.0]
ys = [1.0, 3.0, 5.0, 7.0]
m = c = 0.0
for step in range(args.steps):
    gm = gc = 0.0
    for x, y in zip(xs, ys):
        e = m * x + c - y
        gm += 2 * e * x / len(xs)
        gc += 2 * e / len(xs)
    m -= args.lr * gm
    c -= args.lr * gc
    log.info("step %d: m=%.3f c=%.3f", step, m, c)
print(args.lr, args.steps, args.verbose)
print(f"y = {m:.3f}x + {c:.3f}")
