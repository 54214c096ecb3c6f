# kind: imports
import json
config = {"layers": [2, 4, 1], "rate": 0.1, "activation": "tanh", "bias": True}
print(json.dumps(config))
print(json.dumps(config, indent=2, sort_keys=True))
print(json.loads('{"x": [1, 2.5, null]}')["x"])
