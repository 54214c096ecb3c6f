# kind: imports
import time
import warnings
warnings.filterwarnings('ignore')

start = time.time()
total = 0
for i in range(100):
    total += i*i
elapsed = time.time() - start
print(total, elapsed >= 0)
