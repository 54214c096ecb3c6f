# kind: imports
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

def f(x):
    return x**2
print(f(3.0), (f(3.0001) - f(3.0))/0.0001)
