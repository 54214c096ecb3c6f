import argparse

parser = argparse.ArgumentParser(description="Train a network", prog="train")
parser.add_argument("--lr", "-l", type=float, default=0.05, help="learning rate")
parser.add_argument("--steps", type=int, default="40")
parser.add_argument("--batch-size", type=int)
parser.add_argument("--activation", choices=["tanh", "relu"], default="tanh")
parser.add_argument("--verbose", action="store_true")
parser.add_argument("--no-bias", dest="bias", action="store_false")
args = parser.parse_args([])
parser.set_defaults(seed=7)
group = parser.add_argument_group("others")
group.add_argument("--sizes", nargs="+", type=int, default=[4, 4])
args = parser.parse_args([])
print(args, args.lr * 2, args.batch_size)
print(parser.parse_args(["-l", "0.1", "--steps=3", "--verbose", "--no-bias"]))
known, rest = parser.parse_known_args(["--batch-size", "8"])
print(known.batch_size, rest, known.bias)
for wrong in (["--lr", "x"], ["--activation", "gelu"], ["--unknown"], ["--lr"]):
    try:
        parser.parse_args(wrong)
    except SystemExit as error:
        print("exit", error.args)
print(argparse.Namespace(a=1, b="x"))
