# kind: module
from engine import Value
from helpers import plot_loss, save_model, load_data

a = Value(3.0)
b = a * 2 + 1
b.backward()
print(b.data, a.grad)
