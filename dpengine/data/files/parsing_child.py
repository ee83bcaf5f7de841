"""Run as a script of its own: a file on standard input, its cells as an Arrow stream on standard output.

The variable TASK says what to do. A file that bursts takes only this process with it. Standard error carries one JSON
value a line: a share of the work, or the sentence of a refusal.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

_FOLDER = Path(__file__).parents[1]


def main(task: dict[str, Any]) -> int:
    """Limit this process, then read; the code to end with."""
    _limit(task["memory"], task["seconds"])
    _open_rooms(task["path"])
    from dpengine.errors import IntakeError  # noqa: PLC0415 - the rooms are open only now

    try:
        _hand_over(task)
    except IntakeError as refusal:
        _say(str(refusal))
    except MemoryError:
        _say(None)
    else:
        return 0
    return 1


def _hand_over(task: dict[str, Any]) -> None:
    import pyarrow as pa  # noqa: PLC0415 - only after the limits

    from dpengine.data.files.file_cells import batches_of  # noqa: PLC0415 - the rooms are open only now
    from dpengine.data.files.file_form import FileForm  # noqa: PLC0415

    _say(0.0)
    sample = task["sample"]
    read = batches_of(
        sys.stdin.buffer.read(), form=FileForm(**task["form"]), ending=task["ending"], sample=sample is not None
    )
    told = {name: getattr(read, name) for name in ("sheets", "groups", "stored")}
    told |= {"form": asdict(read.form), "left_out": asdict(read.left_out)}
    schema = pa.schema([(name, pa.string()) for name in read.names], metadata={"told": json.dumps(told)})
    rows = 0
    with pa.ipc.new_stream(sys.stdout.buffer, schema) as stream:
        for share, columns in read.tidy():
            stream.write_batch(pa.record_batch(columns, schema=schema))
            _say(share)
            rows += len(columns[0])
            if sample is not None and rows >= sample:
                return


def _say(value: float | str | None) -> None:
    sys.stderr.write(json.dumps(value) + "\n")
    sys.stderr.flush()


def _open_rooms(path: list[str]) -> None:
    """Let the reading modules be imported without the package around them, which opens the engines and takes seconds.

    Libraries are found where the server finds its own; the project's folder comes last, for nothing in it is one.
    """
    own = str(_FOLDER.parents[1])
    sys.path += [place for place in path if place not in ("", own, *sys.path)] + [own]
    package = ModuleType("dpengine.data")
    package.__path__ = [str(_FOLDER)]
    sys.modules["dpengine.data"] = package
    sys.meta_path.insert(0, _WithoutPandas())


class _WithoutPandas:
    """Says that pandas is not there: pyarrow would import it at its first scalar, for longer than most files take."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


def _limit(memory: int, seconds: int) -> None:
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    for what, limit in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, 2 * seconds),  # of two threads; whoever waits for this process looks at the clock
        (resource.RLIMIT_FSIZE, memory),
        (resource.RLIMIT_CORE, 0),
    ):
        most = resource.getrlimit(what)[1]
        if most == resource.RLIM_INFINITY or limit < most:
            with contextlib.suppress(ValueError, OSError):  # a system may not keep this one: macOS has none of memory
                resource.setrlimit(what, (limit, most))


if __name__ == "__main__":
    code = main(json.loads(os.environ.pop("TASK")))
    sys.stdout.flush()
    # A library's threads may still be letting go of cells, and an interpreter that takes itself down then aborts.
    os._exit(code)
