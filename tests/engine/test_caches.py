"""The cache: what was used last is kept, and no more than it may hold."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.caches import Cache, Caches, Row


def test_most_recently_used_entries_are_kept() -> None:
    kept: Cache[str] = Cache(2, 100)
    kept.put("a", "A", 1)
    kept.put("b", "B", 1)
    assert kept.get("a") == "A"
    kept.put("c", "C", 1)
    assert [kept.get(key) for key in "abc"] == ["A", None, "C"]
    assert len(kept) == 2


def test_sizes_are_added_up() -> None:
    kept: Cache[str] = Cache(100, 10)
    for key in "abcd":
        kept.put(key, key, 4)
    assert [kept.get(key) for key in "abcd"] == [None, None, "c", "d"]
    kept.put("c", "C", 9)  # in place of the smaller one
    assert [kept.get(key) for key in "cd"] == ["C", None]
    kept.put("e", "e", 1)
    assert [kept.get(key) for key in "ce"] == ["C", "e"]


def test_too_large_an_entry_is_not_kept() -> None:
    kept: Cache[str] = Cache(100, 10)
    kept.put("a", "a", 11)
    assert len(kept) == 0


def test_an_empty_cache_is_as_good_as_new() -> None:
    kept: Cache[str] = Cache(100, 10)
    kept.put("a", "a", 10)
    kept.clear()
    assert kept.get("a") is None
    kept.put("b", "b", 10)
    assert kept.get("b") == "b"


def test_many_threads_share_it() -> None:
    kept: Cache[int] = Cache(8, 100)

    def work(number: int) -> bool:
        key = number % 16
        kept.put(key, key, 1)
        return kept.get(key) in (key, None)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(2000)))
    assert len(kept) == 8


TABLE = Caches(Row("squares", "number", 2), Row("texts", "text", 2, size=10, unit="letters"))


def test_function_keeps_as_many_results_as_its_row_says() -> None:
    asked: list[int] = []

    @TABLE.cached("squares")
    def square(x: int) -> int:
        asked.append(x)
        return x * x

    assert [square(x) for x in (1, 2, 1, 3, 1, 2)] == [1, 4, 1, 9, 1, 4]
    assert asked == [1, 2, 3, 2]
    square.cache_clear()
    square(1)
    assert asked == [1, 2, 3, 2, 1]


def test_no_cache_without_a_row() -> None:
    with pytest.raises(KeyError, match="cubes"):
        TABLE.cached("cubes")
    with pytest.raises(KeyError, match="cubes"):
        TABLE.store("cubes")


def test_store_has_the_bounds_of_its_row() -> None:
    texts: Cache[str] = TABLE.store("texts")
    for text in ("aaaa", "bbbb", "cccc"):
        texts.put(text, text, len(text))
    assert [texts.get(text) for text in ("aaaa", "bbbb", "cccc")] == [None, "bbbb", "cccc"]
    assert [row.bound for row in TABLE.values()] == ["2", "2; 10 letters"]
