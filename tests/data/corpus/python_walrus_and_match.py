# kind: python
def describe(op):
    match op:
        case '+' | '-':
            return 'additive'
        case ('**', n) if n > 1:
            return f'power {n}'
        case {'name': name}:
            return f'named {name}'
        case [first, *rest]:
            return f'{first} and {len(rest)} more'
        case _:
            return 'other'

for op in ['+', ('**', 3), {'name': 'tanh'}, ['a', 'b', 'c'], 5]:
    print(describe(op))
if (n := len('abc')) > 2:
    print(n)
print([y for x in range(5) if (y := x*x) > 3])
