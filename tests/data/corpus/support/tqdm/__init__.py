"""Progress that nobody looks at."""


class tqdm:
    def __init__(self, iterable=(), *args, **options):
        self.iterable = iterable

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return None

    def _quiet(self, *args, **options):
        return None

    set_postfix = set_postfix_str = set_description = update = close = refresh = _quiet

    @staticmethod
    def write(text, **options):
        print(text)


def trange(*bounds, **options):
    return tqdm(range(*bounds))
