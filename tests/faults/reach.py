"""Which tests can see which fault: one run of the whole suite with probes, kept until the next one."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.faults import probe, probes
from tests.faults.catalog import Fault
from tests.servers.server import ROOT

KEPT = ROOT / ".faults"
_MAP = KEPT / "reach.json"
_PYTHON = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": ""}
"""What a run has compiled is kept for the next ones: there are hundreds of them."""
_PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "tests.faults.plugin", "-p", "no:randomly", "--tb=line")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a run with probes found: tests that came by each fault, seconds of each test, each test file's content."""

    tests: dict[str, list[str]]
    seconds: dict[str, float]
    failed: list[str]
    files: dict[str, str]

    def of(self, fault: Fault) -> list[str]:
        """Tests that came by, the most telling first: quick ones that come by few other faults."""
        crowd: dict[str, int] = defaultdict(int)
        for tests in self.tests.values():
            for test in tests:
                crowd[test] += 1
        broken, visitors = set(self.failed), self.tests.get(fault.name, [])
        there = {name: (ROOT / name).exists() for name in map(file_of, visitors)}
        found = [test for test in visitors if test not in broken and there[file_of(test)]]
        return sorted(found, key=lambda test: (self.seconds.get(test, 1.0) + 0.05) * crowd[test])

    def changed_files(self) -> list[str]:
        """Files of tests that are new or changed since: any of their tests may see any fault."""
        changed = (name for name, content in _contents().items() if self.files.get(name) != content)
        return [name for name in changed if Path(name).name.startswith("test_")]


@contextmanager
def checkout() -> Iterator[Path]:
    """A temporary copy of this checkout, as it is on the disk, without what git ignores."""
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        copy = Path(folder) / "checkout"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(copy)], check=True)
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for path in copy.rglob("*"):
            if path.is_file() and ".git" not in path.relative_to(copy).parts:
                path.unlink()
        for name in filter(None, listed.split("\0")):
            if (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy / name)
        yield copy


def run_pytest(copy: Path, notes: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    """Run pytest in a copy, its notes in a folder; its exit code and the last of what it said."""
    done = subprocess.run(
        [*_PYTEST, *arguments],
        check=False,
        cwd=copy,
        env=os.environ | _PYTHON | {probe.FOLDER: str(notes)} | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    return done.returncode, done.stdout[-2000:] + done.stderr[-500:]


def measured(faults: Sequence[Fault], *, workers: int) -> Reach:
    """Run the whole suite with probes, and keep what it found."""
    KEPT.mkdir(exist_ok=True)
    with checkout() as copy, tempfile.TemporaryDirectory(prefix="reached-") as notes:
        probes.insert(faults, copy)
        print("Running the whole suite once, to see which test comes by which fault.", flush=True)
        _, said = run_pytest(copy, Path(notes), "-n", str(workers))
        print(said.splitlines()[-1] if said else "", flush=True)
        reach = _read(Path(notes))
    _MAP.write_text(json.dumps({name: getattr(reach, name) for name in Reach.__dataclass_fields__}), encoding="utf-8")
    return reach


def kept() -> Reach | None:
    """What the last run with probes found, if there was one."""
    return Reach(**json.loads(_MAP.read_text(encoding="utf-8"))) if _MAP.exists() else None


def file_of(test: str) -> str:
    """Where a test stands."""
    return test.split("::", maxsplit=1)[0]


def notes_of(folder: Path, kind: str) -> Iterator[list[str]]:
    """The lines of one kind that a run has written."""
    for path in sorted(folder.glob(f"{kind}-*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield line.split("\t")


def _read(notes: Path) -> Reach:
    tests: dict[str, dict[str, None]] = defaultdict(dict)
    for fault, test in notes_of(notes, "reached"):
        if test:
            tests[fault][test] = None
    seconds: dict[str, float] = defaultdict(float)
    for test, took in notes_of(notes, "took"):
        seconds[test] += float(took)
    failed = [row[0] for row in notes_of(notes, "failed")]
    return Reach(
        tests={name: list(found) for name, found in tests.items()}, seconds=seconds, failed=failed, files=_contents()
    )


def _contents() -> dict[str, str]:
    paths = [path for path in (ROOT / "tests").rglob("*.py") if path.name != "__pycache__"]
    return {str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(paths)}
