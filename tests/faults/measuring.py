"""Plants each fault in a copy of the checkout, runs the tests that could see it, and says which test caught it.

    python -m tests --faults            every fault that has no verdict yet; a run resumes where it stopped
    python -m tests --faults NAME ...   these faults, measured anew

Asked first is the test that caught the fault in the last whole run. What it does not catch again (or nobody has yet) is
shown to all who come by: the first such run asks the whole suite once which test does (`.faults/reach.json`), and later
ones keep that; delete `.faults` to begin anew. A fault counts as caught where a test fails with it twice, now or in two
runs. What everyone who comes by misses is planted all at once and shown to the whole suite, in which a test may see
what another prepared.
"""

from __future__ import annotations

import csv
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue

from tests.faults import plugin, reach
from tests.faults.catalog import Fault, listed, place, planted, write
from tests.faults.reach import KEPT, Reach, file_of, notes_of, run_pytest

COPIES = 2
_VERDICTS = KEPT / "verdicts.csv"
_LAST = (Path(__file__).with_name("baseline.csv"), Path(__file__).with_name("measured.csv"))
_FIRST_SECONDS, _TEST_SECONDS = 25.0, 120
_FINE = {0, 5}
"""Exit codes of pytest: all passed, none chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How one fault fared; `test` is the first that failed, empty where none did."""

    fault: str
    package: str
    test: str
    seconds: float

    @property
    def caught(self) -> bool:
        return bool(self.test)

    def __str__(self) -> str:
        return f"{'caught' if self.caught else 'MISSED'}  {self.fault:<52} {self.seconds:6.1f} s  {self.test}"


def main(names: Sequence[str]) -> int:
    """Measure the faults of these names, or all that have no verdict yet; 0 where each was caught, or is no fault."""
    faults = listed()
    unknown = sorted(set(names) - {fault.name for fault in faults})
    if unknown:
        raise SystemExit(f"No fault is called {', '.join(unknown)}.")
    asked = [fault for fault in faults if fault.name in names or not names]
    for fault in asked:
        if fault.no_fault:
            print(f"no fault {fault.name}: {fault.no_fault}")
    real = {fault.name for fault in asked if not fault.no_fault}
    known = {} if names else {one.fault: one for one in read(_VERDICTS) if one.fault in real}
    last = {one.fault: one.test.split("[")[0] for path in _LAST for one in read(path)}
    if wanted := [fault for fault in asked if fault.name in real - known.keys()]:
        known |= _kept(one for one in _measured(wanted, partial(_caught_again, last)) if one.caught)
    if wanted := [fault for fault in wanted if fault.name not in known]:
        found = reach.kept() or reach.measured(faults, workers=COPIES)
        known |= _kept(_measured(wanted, partial(_first_failure, found)))
        known |= _kept(_caught_by_others(wanted, known))
    verdicts = list(known.values())
    missed = [one for one in verdicts if not one.caught]
    print(
        f"\n{len(verdicts) - len(missed)} of {len(verdicts)} faults caught", *(one.fault for one in missed), sep="\n  "
    )
    return int(bool(missed))


def read(path: Path) -> list[Verdict]:
    """The verdicts of a file, if it is there."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [Verdict(**row | {"seconds": float(row["seconds"])}) for row in csv.DictReader(file)]  # type: ignore[arg-type]


def _measured(faults: Sequence[Fault], ask: Callable[[Fault, Path], str]) -> Iterator[Verdict]:
    """What `ask` finds for each fault, planted in a copy: the test that catches it, or an empty text."""
    copies: SimpleQueue[Path] = SimpleQueue()
    with reach.checkout() as one, reach.checkout() as other, ThreadPoolExecutor(COPIES) as threads:
        copies.put(one)
        copies.put(other)

        def verdict(fault: Fault) -> Verdict:
            copy = copies.get()
            try:
                began = time.monotonic()
                with _planted([fault], copy):
                    test = ask(fault, copy)
                seconds = round(time.monotonic() - began, 1)
                return Verdict(fault=fault.name, package=fault.package, test=test, seconds=seconds)
            finally:
                copies.put(copy)

        yield from threads.map(verdict, faults)


def _caught_by_others(faults: Sequence[Fault], known: Mapping[str, Verdict]) -> Iterator[Verdict]:
    """Those among the missed faults that some test of the whole suite does see, once all of them are planted."""
    missed = [fault for fault in faults if not known[fault.name].caught]
    if not missed:
        return
    print(f"\nPlanting the {len(missed)} that were missed all at once, for the whole suite.", flush=True)
    with reach.checkout() as copy:
        with _planted(missed, copy), tempfile.TemporaryDirectory(prefix="together-") as folder:
            run_pytest(copy, Path(folder), "-n", str(COPIES), f"--timeout={_TEST_SECONDS}")
            suspects = list(dict.fromkeys(row[0] for row in notes_of(Path(folder), "failed")))
        for fault in missed:
            with _planted([fault], copy):
                if test := _failure(copy, suspects):
                    yield replace(known[fault.name], test=test)


def _kept(verdicts: Iterable[Verdict]) -> dict[str, Verdict]:
    """The verdicts by fault, each said and written down as soon as it is there."""
    KEPT.mkdir(exist_ok=True)
    found: dict[str, Verdict] = {}
    for verdict in verdicts:
        print(verdict, flush=True)
        found[verdict.fault] = verdict
        others = [one for one in read(_VERDICTS) if one.fault != verdict.fault]
        with _VERDICTS.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, [field.name for field in fields(Verdict)], lineterminator="\n")
            writer.writeheader()
            writer.writerows(asdict(one) for one in (*others, verdict))
    return found


def _caught_again(last: Mapping[str, str], fault: Fault, copy: Path) -> str:
    """The test that caught the fault in the last whole run, if it is there and fails now."""
    test = last.get(fault.name, "")
    if not (copy / file_of(test)).is_file():
        return ""
    with tempfile.TemporaryDirectory(prefix="again-") as folder:
        run_pytest(copy, Path(folder), "-x", f"--timeout={_TEST_SECONDS}", test)
        return next((row[0] for row in notes_of(Path(folder), "failed")), "")


def _first_failure(found: Reach, fault: Fault, copy: Path) -> str:
    """The first test that fails with the fault, and again when it is run alone with it; empty where none does.

    What is read once, like a module, or runs in a browser, nobody comes by: hence the tests named after its package.
    Browsers are asked where nobody else comes by, and otherwise once for all faults that are left.
    """
    visitors = [test for test in found.of(fault) if not _in_browser(test)]
    named = [path for path in _files(copy / "tests") if fault.package in path.removeprefix("tests/")]
    seconds = accumulate(found.seconds.get(test, 0.1) for test in visitors)
    number = next((place for place, total in enumerate(seconds, start=1) if total >= _FIRST_SECONDS), len(visitors))
    stages = (
        visitors[:number],
        [path for path in named if not _in_browser(path)],
        visitors[number:],
        found.changed_files(),
        [] if visitors else [path for path in named if _in_browser(path)],
    )
    return next((test for tests in stages if (test := _failure(copy, tests))), "")


def _in_browser(test: str) -> bool:
    return test.startswith("tests/browser/")


def _failure(copy: Path, tests: Sequence[str]) -> str:
    """The first of these tests that fails twice; a test that fails once only says nothing."""
    left = list(tests)
    while left:
        failed = _run(copy, left)
        if not failed or "::" not in failed or _run(copy, [failed]):
            return failed
        left = [test for test in left if test not in (failed, file_of(failed))]
    return ""


def _run(copy: Path, tests: Sequence[str]) -> str:
    """The first of these tests or files that fails, or how the run ended where it ended without a word; else empty."""
    with tempfile.TemporaryDirectory(prefix="chosen-") as folder:
        chosen, files = Path(folder) / "chosen", dict.fromkeys(map(file_of, tests))
        chosen.write_text("\n".join(tests), encoding="utf-8")
        only = {plugin.CHOSEN: str(chosen)} if "::" in tests[0] else {}
        code, said = run_pytest(copy, Path(folder), "-x", f"--timeout={_TEST_SECONDS}", *files, **only)
        failed = next((row[0] for row in notes_of(Path(folder), "failed")), "")
        return failed or ("" if code in _FINE else f"pytest ended with {code}: {said.strip().splitlines()[-1]}")


@contextmanager
def _planted(faults: Sequence[Fault], copy: Path) -> Iterator[None]:
    """The faults in the files of a copy, and the files as they were afterwards."""
    before: dict[Path, str] = {}
    try:
        for fault in faults:
            found = place(fault, copy)
            text = found.path.read_text(encoding="utf-8")
            before.setdefault(found.path, text)
            write(found.path, planted(fault, text, found.offset))
        yield
    finally:
        for path, text in before.items():
            write(path, text)


def _files(folder: Path) -> list[str]:
    return [str(path.relative_to(folder.parent)) for path in sorted(folder.rglob("test_*.py"))]
