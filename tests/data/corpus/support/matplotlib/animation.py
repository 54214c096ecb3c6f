"""Charts that nobody looks at: every name is a function and an object that does nothing."""


class Quiet:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Quiet()

    def __call__(self, *args, **options):
        return Quiet()

    def __getitem__(self, key):
        return Quiet()

    def __setitem__(self, key, value):
        pass

    def __iter__(self):
        return iter((Quiet(), Quiet()))

    def _repr_svg_(self):
        return ""


rcParams = {}


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Quiet()
