# kind: class
"""A linear fit whose settings are taken in all at once."""


class Settings:
    rate = 0.1
    steps = 20

    def __init__(self, **given):
        for name in given:
            if not hasattr(Settings, name):
                raise TypeError(f"unknown setting {name}")
        self.__dict__.update(given)

    def __repr__(self):
        shown = ", ".join(f"{k}={v!r}" for k, v in sorted(self.__dict__.items()))
        return f"Settings({shown})"


class Line:
    def __init__(self, settings):
        self.w, self.b = 0.0, 0.0
        self.settings = settings

    def fit(self, pairs):
        for step in range(self.settings.steps):
            dw = db = 0.0
            for x, y in pairs:
                error = self.w * x + self.b - y
                dw += 2 * error * x / len(pairs)
                db += 2 * error / len(pairs)
            self.w -= self.settings.rate * dw
            self.b -= self.settings.rate * db
        return self


for settings in (Settings(), Settings(steps=100), Settings(rate=0.05, steps=5)):
    line = Line(settings).fit([(0, 1), (1, 3), (2, 5)])
    print(settings, f"w={line.w:.5f} b={line.b:.5f}", sorted(vars(line)))
print([name for name, x in vars(Settings).items() if not name.startswith("__")])
try:
    Settings(speed=3)
except TypeError as error:
    print(error)
