import numpy as np
def accuracy_score(a, b): return float(np.mean(np.asarray(a) == np.asarray(b)))
