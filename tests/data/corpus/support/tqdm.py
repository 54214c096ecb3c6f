"""Progress that nobody looks at."""


def tqdm(iterable, *args, **options):
    return iterable


def trange(*bounds, **options):
    return range(*bounds)
