# kind: imports
from tqdm import tqdm, trange

w = 8.0
for step in tqdm(range(3)):
    w -= 0.5 * w
print(w)
for step in trange(2, desc="more"):
    w *= 2
print(w)
