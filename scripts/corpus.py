"""The share of the corpus of learners' programs that runs here and prints what CPython prints.

    python -m scripts.corpus                 the shares, and what stops the other programs
    python -m scripts.corpus --record        write what it prints; by build/oracles/bin/python
    python -m scripts.corpus --take-off      take programs that work off the lists

The programs are in tests/data/corpus. `--take-off` only shortens not_yet.txt and wrong.txt: a
program that stops working must be put on a list by hand.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from tests.support import corpus
from tests.support.corpus import Entry, Outcome


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts.corpus")
    parser.add_argument("--record", action="store_true", help="write what CPython prints")
    parser.add_argument("--take-off", action="store_true", help="shorten the lists")
    arguments = parser.parse_args()
    if arguments.record:
        record()
    outcomes = {entry: corpus.run_here(entry) for entry in corpus.entries()}
    if arguments.take_off:
        take_off(outcomes)
    print(report(outcomes, corpus.expected()), end="")


def record() -> None:
    """Run all programs twice, in both orders. Raises SystemExit where the outputs differ."""
    programs = corpus.entries()
    outputs = corpus.run_by_cpython(programs)
    again = corpus.run_by_cpython(programs[::-1])
    if unsteady := [name for name, output in outputs.items() if output != again[name]]:
        raise SystemExit(f"These print something else the second time: {', '.join(unsteady)}")
    corpus.EXPECTED.write_text(as_json(outputs), "utf-8")


def as_json(outputs: Mapping[str, str]) -> str:
    """The record's text: one program a line, by name."""
    return json.dumps(dict(sorted(outputs.items())), indent=1, ensure_ascii=False) + "\n"


def take_off(outcomes: Mapping[Entry, Outcome]) -> None:
    """Take programs that now print what CPython prints off the lists."""
    recorded = corpus.expected()
    working = {entry.name for entry, got in outcomes.items() if same(got, recorded[entry.name])}
    for file in (corpus.NOT_YET, corpus.WRONG):
        left = [name for name in corpus.listed(file) if name not in working]
        file.write_text("".join(f"{name}\n" for name in left), "utf-8")


def same(outcome: Outcome, wanted: str) -> bool:
    """Whether a program ran and printed `wanted`."""
    return not outcome.refusal and not corpus.difference(wanted, outcome.output)


def report(outcomes: Mapping[Entry, Outcome], recorded: Mapping[str, str]) -> str:
    """The shares as a whole and by kind, the refusals by cause, the differing lines."""
    runs = {entry for entry, got in outcomes.items() if not got.refusal}
    equal = {entry for entry in runs if same(outcomes[entry], recorded[entry.name])}
    total = len(outcomes)
    shares = f"{len(runs)} run here ({len(runs) / total:.1%})"
    shares += f", {len(equal)} print what CPython prints ({len(equal) / total:.1%})"
    lines = [
        f"{total} programs: {shares}.",
        "",
        f"{'kind':<12} {'programs':>8} {'run':>5} {'same':>5}",
    ]
    every, running, right = (Counter(map(_kind, group)) for group in (outcomes, runs, equal))
    lines += [f"{kind:<12} {n:>8} {running[kind]:>5} {right[kind]:>5}" for kind, n in every.items()]
    lines += ["", "Refused:", *_causes(outcomes)]
    lines += ["", "Different:"]
    for entry in sorted(runs - equal, key=_name):
        first = corpus.difference(recorded[entry.name], outcomes[entry].output)
        lines.append(f"  {entry.name}: {first}")
    return "".join(f"{line}\n" for line in lines)


def _causes(outcomes: Mapping[Entry, Outcome]) -> Iterable[str]:
    """The first line of each refusal, the most frequent first, with its count and the kinds."""
    stopped: dict[str, Counter[str]] = defaultdict(Counter)
    for entry, outcome in outcomes.items():
        if outcome.refusal:
            stopped[outcome.refusal.partition("\n")[0]][entry.kind] += 1
    for cause, kinds in sorted(stopped.items(), key=lambda item: -item[1].total()):
        which = ", ".join(f"{kind} {n}" for kind, n in kinds.most_common())
        yield f"  {kinds.total():>3}  {cause}  ({which})"


def _kind(entry: Entry) -> str:
    return entry.kind


def _name(entry: Entry) -> str:
    return entry.name


if __name__ == "__main__":
    main()
