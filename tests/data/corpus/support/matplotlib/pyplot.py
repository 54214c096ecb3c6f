"""Charts that nobody looks at: every function, and every method of its result, does nothing."""


class Quiet:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return quiet


def quiet(*args, **options):
    return None


def subplots(*args, **options):
    return Quiet(), Quiet()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return quiet
