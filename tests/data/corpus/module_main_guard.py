# kind: module
from engine import Value

def main():
    a = Value(-4.0)
    b = Value(2.0)
    c = a + b
    d = a*b + b**3
    c = c + c + 1
    c = c + 1 + c + (-a)
    d = d + d*2 + (b + a).relu()
    e = c - d
    f = e**2
    f.backward()
    print(f'{f.data:.4f}')
    print(f'{a.grad:.4f}')
    print(f'{b.grad:.4f}')

if __name__ == "__main__":
    main()
