"""The names under which objects of a program's own class hold what the recorder follows."""

from __future__ import annotations

DATA = frozenset({
    "data", "value", "val", "v", "_data", "_value", "_val", "x", "num", "number", "scalar",
    "primal", "real", "wert", "zahl", "valor", "valeur", "valore",
})  # fmt: skip
"""Names of the number that an object holds."""
GRADIENTS = frozenset({
    "grad", "gradient", "_grad", "_gradient", "dx", "deriv", "derivative", "g", "d", "adjoint",
    "bar", "grad_value", "dual", "abl", "ableitung", "gradiente", "derivada", "derivee", "derivata",
})  # fmt: skip
"""Names of the gradient that an object holds."""
EITHER = frozenset({"d"})
"""Names of GRADIENTS that are those of the number in an object that has none yet."""
LABELS = ("label", "_label", "name", "_name")
OPS = ("_op", "op", "operation", "_operation", "op_name", "_op_name", "operator")
CHILDREN = frozenset({
    "_prev", "prev", "_children", "children", "parents", "_parents", "inputs", "_inputs", "args",
    "_args", "operands", "kids", "_kids", "sources", "_sources", "deps", "_deps", "previous",
    "_previous", "preds", "eltern", "padres", "genitori",
})  # fmt: skip
"""Names of the objects that an object was computed from."""
WATCHED = DATA | GRADIENTS | CHILDREN
BACKWARD = frozenset({"backward", "backprop", "backpropagate", "back_prop", "backward_pass"})
"""Methods that run a backward pass."""
