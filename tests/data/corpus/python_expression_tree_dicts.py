# kind: python
tree = {'op': '+', 'args': [{'op': '*', 'args': [{'leaf': 'x'}, {'leaf': 'x'}]}, {'leaf': 'y'}]}

def evaluate(node, env):
    if 'leaf' in node:
        return env[node['leaf']]
    a, b = (evaluate(n, env) for n in node['args'])
    return a + b if node['op'] == '+' else a * b

def derive(node, name, env):
    if 'leaf' in node:
        return 1.0 if node['leaf'] == name else 0.0
    left, right = node['args']
    dl, dr = derive(left, name, env), derive(right, name, env)
    if node['op'] == '+':
        return dl + dr
    return dl * evaluate(right, env) + evaluate(left, env) * dr

env = {'x': 3.0, 'y': 4.0}
print(evaluate(tree, env), derive(tree, 'x', env), derive(tree, 'y', env))
