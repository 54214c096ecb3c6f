# kind: class
class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name
    def __get__(self, obj, objtype=None):
        if obj is None:
            return self
        return getattr(obj, self.name)
    def __set__(self, obj, value):
        if value <= 0:
            raise ValueError(f"{self.name[1:]} must be positive, got {value}")
        setattr(obj, self.name, value)

class SGD:
    lr = Positive()
    momentum = Positive()
    def __init__(self, params, lr=0.1, momentum=0.9):
        self.params = params
        self.lr = lr
        self.momentum = momentum
        self.v = [0.0]*len(params)
    def step(self, grads):
        for i, g in enumerate(grads):
            self.v[i] = self.momentum*self.v[i] - self.lr*g
            self.params[i] += self.v[i]

opt = SGD([1.0, -2.0])
for t in range(5):
    opt.step([2*p for p in opt.params])
    print(t, [f"{p:+.4f}" for p in opt.params])
try:
    opt.lr = -1
except ValueError as e:
    print(e)
opt.lr = 0.01
print(opt.lr, opt._lr)
