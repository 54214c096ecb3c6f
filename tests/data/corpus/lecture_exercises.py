# kind: lecture
# -*- coding: utf-8 -*-
"""micrograd exercises.ipynb

Section 1: derivatives
"""

# section 1: derivatives
from math import sin, cos
import random

def f(a, b, c):
  return -a**3 + sin(3*b) - 1.0/c + b**2.5 - a**0.5

print(f(2, 3, 4))

def gradf(a, b, c):
  return [-3*a**2 - 0.5*a**-0.5, 3*cos(3*b) + 2.5*b**1.5, 1.0/c**2]

ans = [-12.353553390593273, 10.25699027111255, 0.0625]
yours = gradf(2, 3, 4)
for dim in range(3):
  ok = 'OK' if abs(yours[dim] - ans[dim]) < 1e-5 else 'WRONG!'
  print(f"{ok} for dim {dim}: expected {ans[dim]}, yours returns {yours[dim]}")

h = 1e-6
numerical = [(f(2 + h, 3, 4) - f(2, 3, 4))/h, (f(2, 3 + h, 4) - f(2, 3, 4))/h, (f(2, 3, 4 + h) - f(2, 3, 4))/h]
for dim in range(3):
  ok = 'OK' if abs(numerical[dim] - ans[dim]) < 1e-5 else 'WRONG!'
  print(f"{ok} for dim {dim}: expected {ans[dim]}, yours returns {numerical[dim]:.6f}")

sym = [(f(2 + h, 3, 4) - f(2 - h, 3, 4))/(2*h), (f(2, 3 + h, 4) - f(2, 3 - h, 4))/(2*h), (f(2, 3, 4 + h) - f(2, 3, 4 - h))/(2*h)]
print(sym)

# section 2: support for softmax
from math import exp, log

class Value:
  def __init__(self, data, _children=(), _op='', label=''):
    self.data = data
    self.grad = 0.0
    self._backward = lambda: None
    self._prev = set(_children)
    self._op = _op
    self.label = label
  def __repr__(self):
    return f"Value(data={self.data})"
  def __add__(self, other):
    other = other if isinstance(other, Value) else Value(other)
    out = Value(self.data + other.data, (self, other), '+')
    def _backward():
      self.grad += out.grad
      other.grad += out.grad
    out._backward = _backward
    return out
  def __radd__(self, other):
    return self + other
  def __mul__(self, other):
    other = other if isinstance(other, Value) else Value(other)
    out = Value(self.data * other.data, (self, other), '*')
    def _backward():
      self.grad += other.data * out.grad
      other.grad += self.data * out.grad
    out._backward = _backward
    return out
  def __neg__(self):
    return self * -1
  def __pow__(self, k):
    out = Value(self.data ** k, (self,), f'**{k}')
    def _backward():
      self.grad += k * self.data ** (k - 1) * out.grad
    out._backward = _backward
    return out
  def __truediv__(self, other):
    return self * other ** -1
  def exp(self):
    out = Value(exp(self.data), (self,), 'exp')
    def _backward():
      self.grad += out.data * out.grad
    out._backward = _backward
    return out
  def log(self):
    out = Value(log(self.data), (self,), 'log')
    def _backward():
      self.grad += 1/self.data * out.grad
    out._backward = _backward
    return out
  def backward(self):
    topo = []
    visited = set()
    def build_topo(v):
      if v not in visited:
        visited.add(v)
        for child in v._prev:
          build_topo(child)
        topo.append(v)
    build_topo(self)
    self.grad = 1.0
    for node in reversed(topo):
      node._backward()

def softmax(logits):
  counts = [logit.exp() for logit in logits]
  denominator = sum(counts)
  out = [c / denominator for c in counts]
  return out

logits = [Value(0.0), Value(3.0), Value(-2.0), Value(1.0)]
probs = softmax(logits)
loss = -probs[3].log()
loss.backward()
print(loss.data)

ans = [0.041772570515350445, 0.8390245074625319, 0.005653302662216329, -0.8864503806400986]
for dim in range(4):
  ok = 'OK' if abs(logits[dim].grad - ans[dim]) < 1e-5 else 'WRONG!'
  print(f"{ok} for dim {dim}: expected {ans[dim]}, yours returns {logits[dim].grad}")

import torch
tl = torch.tensor([0.0, 3.0, -2.0, 1.0], requires_grad=True)
tp = torch.softmax(tl, dim=0)
tloss = -torch.log(tp[3])
tloss.backward()
print(tloss.item())
print([round(g, 4) for g in tl.grad.tolist()])
