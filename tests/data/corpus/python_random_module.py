# kind: python
import random
random.seed(123)
print(random.random(), random.uniform(-1, 1), random.gauss(0, 1))
print(random.randint(1, 6), random.choice(['a', 'b', 'c']), random.sample(range(10), 3))
items = list(range(5))
random.shuffle(items)
print(items, random.choices([1, 2], k=4), random.normalvariate(0, 1))
r = random.Random(7)
print(r.random(), r.randrange(0, 100, 5))
