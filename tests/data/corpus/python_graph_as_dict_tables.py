# kind: python
import math

graph = {
    "x": {"op": "input", "value": 1.5},
    "w": {"op": "input", "value": -0.8},
    "b": {"op": "input", "value": 0.25},
    "m": {"op": "mul", "args": ["x", "w"]},
    "s": {"op": "add", "args": ["m", "b"]},
    "y": {"op": "tanh", "args": ["s"]},
    "L": {"op": "square", "args": ["y"]},
}

FORWARD = {
    "mul": lambda a, b: a * b,
    "add": lambda a, b: a + b,
    "tanh": math.tanh,
    "square": lambda a: a ** 2,
}

BACKWARD = {
    "mul": lambda g, out, a, b: (g * b, g * a),
    "add": lambda g, out, a, b: (g, g),
    "tanh": lambda g, out, a: (g * (1 - out ** 2),),
    "square": lambda g, out, a: (2 * a * g,),
}

def topological(graph):
    remaining = dict(graph)
    done = []
    while remaining:
        ready = [k for k, n in remaining.items() if all(a in done for a in n.get("args", []))]
        if not ready:
            raise ValueError("cycle!")
        for k in ready:
            done.append(k)
            del remaining[k]
    return done

order = topological(graph)
print(" -> ".join(order))
for k in order:
    n = graph[k]
    if n["op"] != "input":
        n["value"] = FORWARD[n["op"]](*(graph[a]["value"] for a in n["args"]))
grads = dict.fromkeys(graph, 0.0)
grads[order[-1]] = 1.0
for k in order[::-1]:
    n = graph[k]
    if n["op"] == "input":
        continue
    vals = [graph[a]["value"] for a in n["args"]]
    for a, g in zip(n["args"], BACKWARD[n["op"]](grads[k], n["value"], *vals)):
        grads[a] += g
width = max(map(len, graph))
for k, n in graph.items():
    print(f"{k:>{width}} | {n['op']:^8} | {n['value']:>10.6f} | {grads[k]:>10.6f}")
graph["x"]["args"] = ["L"]
try:
    topological(graph)
except ValueError as e:
    print("ValueError", e)
