"""The cache: what was used last is kept, and no more than it may hold."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from app.cache import Cache


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
