# kind: construct
import statistics
import string
print(statistics.mean([1, 2, 3, 4]), statistics.median([3, 1, 2]), string.ascii_lowercase[:3])
