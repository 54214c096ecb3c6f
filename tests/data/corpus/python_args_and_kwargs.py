# kind: python
def neuron(x, *weights, bias=0.0, **options):
    total = bias + sum(w*x for w in weights)
    if options.get('verbose'):
        print('weights', weights, 'options', options)
    return total

print(neuron(2.0, 0.5, 1.5))
print(neuron(2.0, *[1.0, 2.0], bias=1.0, verbose=True))
settings = {'bias': -1.0, 'name': 'n1'}
print(neuron(1.0, 3.0, **settings))
first, *middle, last = [1, 2, 3, 4, 5]
print(first, middle, last, [*middle, *middle], {**settings, 'bias': 0})

def keyword_only(a, /, b, *, c=3):
    return a, b, c
print(keyword_only(1, b=2), keyword_only(1, 2, c=4))
