# kind: class
from typing import List, Callable, NamedTuple, Dict, Optional

_name = 1
def fresh_name():
    global _name
    name = f'v{_name}'
    _name += 1
    return name

class Variable:
    def __init__(self, value, name: str=None):
        self.value = value
        self.name = name or fresh_name()

    def __repr__(self):
        return repr(self.value)

    @staticmethod
    def constant(value, name: str=None):
        var = Variable(value, name)
        print(f'{var.name} = {value}')
        return var

    def __mul__(self, other):
        return ops_mul(self, other)

    def __add__(self, other):
        return ops_add(self, other)
    def __sub__(self, other):
        return ops_sub(self, other)

class TapeEntry(NamedTuple):
    inputs : List[str]
    outputs : List[str]
    propagate : 'Callable[List[Variable], List[Variable]]'

gradient_tape : List[TapeEntry] = []

def reset_tape():
  global _name
  _name = 1
  gradient_tape.clear()

def ops_mul(self, other):
    x = Variable(self.value * other.value)
    print(f'{x.name} = {self.name} * {other.name}')
    def propagate(dL_doutputs):
        dL_dx, = dL_doutputs
        dx_dself = other
        dx_dother = self
        dL_dself = dL_dx * dx_dself
        dL_dother = dL_dx * dx_dother
        dL_dinputs = [dL_dself, dL_dother]
        return dL_dinputs
    gradient_tape.append(TapeEntry(inputs=[self.name, other.name], outputs=[x.name], propagate=propagate))
    return x

def ops_add(self, other):
    x = Variable(self.value + other.value)
    print(f'{x.name} = {self.name} + {other.name}')
    def propagate(dL_doutputs):
        dL_dx, = dL_doutputs
        dx_dself = Variable(1.)
        dx_dother = Variable(1.)
        return [dL_dx * dx_dself, dL_dx * dx_dother]
    gradient_tape.append(TapeEntry([self.name, other.name], [x.name], propagate))
    return x

def ops_sub(self, other):
    x = Variable(self.value - other.value)
    print(f'{x.name} = {self.name} - {other.name}')
    def propagate(dL_doutputs):
        dL_dx, = dL_doutputs
        return [dL_dx * Variable(1.), dL_dx * Variable(-1.)]
    gradient_tape.append(TapeEntry([self.name, other.name], [x.name], propagate))
    return x

def grad(L, desired_results: List[Variable]) -> List[Variable]:
    dL_d: Dict[str, Variable] = {}
    dL_d[L.name] = Variable(1.)
    print(f'd{L.name} ------------------------')
    def gather_grad(entries):
        return [dL_d[entry] if entry in dL_d else None for entry in entries]
    for entry in reversed(gradient_tape):
        dL_doutputs = gather_grad(entry.outputs)
        if all(dL_doutput is None for dL_doutput in dL_doutputs):
            continue
        dL_dinputs = entry.propagate(dL_doutputs)
        for input, dL_dinput in zip(entry.inputs, dL_dinputs):
            if input not in dL_d:
                dL_d[input] = dL_dinput
            else:
                dL_d[input] += dL_dinput
    for name, value in dL_d.items():
        print(f'd{L.name}_d{name} = {value.name}')
    print('------------------------')
    return gather_grad(desired.name for desired in desired_results)

reset_tape()
a = Variable.constant(0.5)
b = Variable.constant(-2.25)
def simple(a, b):
    t = a + b
    return t * b - a
L = simple(a, b)
da, db = grad(L, [a, b])
print("da", da)
print("db", db)
print(gradient_tape[0]._fields, len(gradient_tape))
print(gradient_tape[1]._replace(propagate=None))
