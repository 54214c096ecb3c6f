# kind: lecture
def lol():
    h = 0.001

    a = 2.0
    b = -3.0
    c = 10.0
    e = a*b
    d = e + c
    f = -2.0
    L = d*f
    L1 = L

    a = 2.0 + h
    b = -3.0
    c = 10.0
    e = a*b
    d = e + c
    f = -2.0
    L = d*f
    L2 = L

    print((L2 - L1)/h)

lol()
