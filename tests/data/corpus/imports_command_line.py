# kind: imports
import argparse
def main():
    parser = argparse.ArgumentParser(description='train')
    parser.add_argument('--lr', type=float, default='0.1', help='rate')
    parser.add_argument('-n', '--num-steps', type=int, default=3)
    parser.add_argument('--verbose', action='store_true')
    parser.add_argument('--name')
    args = parser.parse_args([])
    x = 2.0
    for i in range(args.num_steps):
        x -= args.lr * 2 * x
    print(round(x, 4), args.verbose, args.name)
if __name__ == '__main__':
    main()
