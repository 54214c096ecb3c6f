import copy


class Named:
    """Gives a name."""

    prefix = "<"

    @property
    def nice(self):
        return self.prefix + type(self).__name__.lower()


class Loud(Named):
    def loud(self):
        return str(self).upper()


class Bad(Named, ValueError):
    pass


class Worse(Loud, Bad, KeyError):
    def __init__(self, message, code=0):
        super().__init__(message)
        self.code = code

    def __str__(self):
        return f"{self.args[0]} ({self.code})"


class Row(Named, list):
    def mean(self):
        return sum(self) / len(self)


class Table(Loud, dict):
    def __missing__(self, key):
        self[key] = len(self)
        return self[key]


class Pair(Named, tuple):
    pass


class Word(str, Named):
    pass


class Count(Named, int):
    pass


class Weight(Named, float):
    def __add__(self, other):
        return Weight(float(self) + float(other))


class Group(Named, set):
    pass


for make in (lambda: Bad("x"), lambda: Worse("bad", code=3)):
    try:
        raise make()
    except ValueError as error:
        print(error.nice, error, repr(error), isinstance(error, Named), error.args)
try:
    raise Worse("again")
except LookupError as error:
    print(error.loud(), error.code)
row = Row([3, 1, 2])
row.append(4)
print(row, row.mean(), row.nice, row[1:], sorted(row), type(row[1:]).__name__, len(row))
table = Table()
print(table["a"], table["b"], table, table.nice, table.loud())
print(Pair((1, 2)), Pair((1, 2)) == (1, 2), Word("abc").nice, Word("abc").upper())
print(Count(3) + 4, Count(3).nice, Weight(1.5) + 2, (Weight(1.5) + 2).nice, len(Group([1, 1])))
plain = Named()
print(plain.nice, isinstance(plain, Named), type(plain).__name__, Named.__doc__, Loud().nice)
plain.note = 1
other = copy.copy(plain)
print(other.note, plain == other, plain == plain, len({plain, other, plain}))
print(issubclass(Bad, Named), issubclass(Named, Bad), Bad.__name__, [1].__len__(), (3).__add__(4))
Named.prefix = ">"
print(Row().nice, "ab".__contains__("a"), {1: 2}.__getitem__(1), [1, 2].__eq__([1, 2]))
