# kind: arrays
import numpy as np
try:
    np.array([1, 2]) + np.array([1, 2, 3])
except ValueError as e:
    print(e)
try:
    np.ones((2, 3)) @ np.ones((2, 3))
except ValueError as e:
    print(e)
try:
    np.array([1, 2, 3]).reshape(2, 2)
except ValueError as e:
    print(e)
try:
    np.array([1, 2])[5]
except IndexError as e:
    print(e)
try:
    if np.array([1, 2]) > 0:
        pass
except ValueError as e:
    print(e)
try:
    np.zeros(3)['a']
except IndexError as e:
    print(e)
try:
    float(np.array([1, 2]))
except TypeError as e:
    print(e)
try:
    np.linalg.inv(np.zeros((2, 2)))
except np.linalg.LinAlgError as e:
    print(e)
w = np.array([1, 2, 3])
try:
    w -= 0.5 * np.ones(3)
except Exception as e:
    print(type(e).__name__, e)
