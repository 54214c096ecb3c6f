# kind: python
params = {'w1': 0.5, 'w2': -0.25, 'b': 0.0}
grads = dict.fromkeys(params, 0.0)
samples = [((1.0, 2.0), 1.0), ((0.0, -1.0), 0.5)]
for (x1, x2), y in samples:
    out = params['w1']*x1 + params['w2']*x2 + params['b']
    d = 2*(out - y)
    for key, local in zip(('w1', 'w2', 'b'), (x1, x2, 1.0)):
        grads[key] += d*local
print(grads)
params = {k: v - 0.5*grads[k] for k, v in params.items()}
print(params)
print(max(grads, key=lambda k: abs(grads[k])), 'b' in grads, params.get('w3', 'none'))
