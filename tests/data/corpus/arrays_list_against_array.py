# kind: arrays
import numpy as np
plain = [1, 2, 3]
array = np.array(plain)
print(plain * 2, array * 2)
print(plain + plain, array + array)
print(array ** 2, array > 1, array.mean())
