# kind: python
# Linear regression with gradients from the chain rule, no classes at all.
import random

random.seed(10)
N = 30
xs = [random.uniform(-1, 1) for _ in range(N)]
ys = [3 * x - 0.7 + random.gauss(0, 0.1) for x in xs]

def predict(x, w, b):
    return w * x + b

def mse(w, b):
    return sum((predict(x, w, b) - y) ** 2 for x, y in zip(xs, ys)) / N

def grads(w, b):
    dw = sum(2 * (predict(x, w, b) - y) * x for x, y in zip(xs, ys)) / N
    db = sum(2 * (predict(x, w, b) - y) for x, y in zip(xs, ys)) / N
    return dw, db

def numeric(w, b, h=1e-5):
    return (mse(w + h, b) - mse(w - h, b)) / (2 * h), (mse(w, b + h) - mse(w, b - h)) / (2 * h)

w, b, lr = 0.0, 0.0, 0.3
print("analytic", *("%.6f" % g for g in grads(w, b)))
print("numeric ", *("%.6f" % g for g in numeric(w, b)))
print("{:>5} {:>10} {:>8} {:>8}".format("step", "loss", "w", "b"))
step = 0
while (loss := mse(w, b)) > 0.02 and step < 100:
    dw, db = grads(w, b)
    w, b = w - lr * dw, b - lr * db
    if step % 4 == 0:
        print("{:>5d} {:>10.5f} {:>8.4f} {:>8.4f}".format(step, loss, w, b))
    step += 1
mean = lambda v: sum(v) / len(v)
mx, my = mean(xs), mean(ys)
slope = sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)
print(f"closed form: {slope:.4f}x {my - slope * mx:+.4f}")
