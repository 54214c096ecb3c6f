# kind: python
"""Train a tiny perceptron.

usage: python perceptron.py --epochs 10
"""
import argparse
import logging
import random
import sys
import os

logger = logging.getLogger(__name__)

def parse_args(argv=None):
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--lr", type=float, default=0.1, help="learning rate")
    p.add_argument("-s", "--seed", type=int, default=7)
    p.add_argument("--verbose", action="store_true")
    p.add_argument("--act", choices=["step", "sign"], default="step")
    return p.parse_args(argv)

class Perceptron:
    def __init__(self, n, lr):
        self.w = [random.uniform(-1, 1) for _ in range(n)]
        self.b = 0.0
        self.lr = lr
    def predict(self, x):
        return 1 if sum(w*xi for w, xi in zip(self.w, x)) + self.b > 0 else 0
    def update(self, x, y):
        err = y - self.predict(x)
        self.w = [w + self.lr*err*xi for w, xi in zip(self.w, x)]
        self.b += self.lr*err
        return abs(err)

def main(argv=None):
    args = parse_args(argv)
    logging.basicConfig(level=logging.DEBUG if args.verbose else logging.INFO, format="%(levelname)s %(message)s", stream=sys.stderr)
    random.seed(args.seed)
    data = [((0,0),0),((0,1),1),((1,0),1),((1,1),1)]
    model = Perceptron(2, args.lr)
    for epoch in range(args.epochs):
        errors = sum(model.update(x, y) for x, y in data)
        logger.info("epoch %d errors %d", epoch, errors)
        print(f"{epoch=} {errors=}")
        if not errors:
            break
    else:
        print("did not converge")
    print("weights", *("%.3f" % w for w in model.w), "bias", f"{model.b:.3f}")
    return 0

if __name__ == "__main__":
    main(["--epochs", "20", "-s", "3"])
