# kind: python
def train(w=10.0, rate=0.25):
    while True:
        loss = w**2
        yield loss, w
        w -= rate*2*w

from itertools import islice, count, accumulate, chain
for k, (loss, w) in zip(count(1), train()):
    print(k, loss, w)
    if loss < 0.5:
        break
print([l for l, _ in islice(train(4.0), 3)])
print(list(accumulate([1, 2, 3])), list(chain([1], (2, 3))))
