"""Reads hostile files one after the other, with the room of one child; its arguments are their names.

Prints a JSON object: of each file its rows, the header first, and the sentence of its refusal; and the most bytes of
memory that this process had.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

from dpengine.data.files import child_process, parsing_child
from dpengine.data.files.cells import Cells
from dpengine.data.files.file_cells import batches_of
from dpengine.data.files.file_form import FileForm
from dpengine.data.files.limits import MEMORY_BYTES, SECONDS
from dpengine.errors import IntakeError
from tests.contracts.engines.hostile_binaries import BINARIES
from tests.contracts.engines.hostile_files import TEXT, Hostile


def main(names: list[str]) -> None:
    """Build all, and then read them within what one child may take, beyond what is taken by then."""
    kinds = {**TEXT, **BINARIES}
    files = {name: kinds[name.partition(": ")[0]][name.partition(": ")[2]] for name in names}
    built = {name: file.build() for name, file in files.items()}
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    parsing_child._limit(taken + MEMORY_BYTES, SECONDS)
    read = {name: _read(content, files[name]) for name, content in built.items()}
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))
    print(json.dumps({"files": read, "peak": int(peak.split()[1]) * 1024}))


def _read(content: bytes, file: Hostile) -> tuple[list[tuple[str, ...]], str]:
    try:
        cells = Cells.gathered(batches_of(content, form=FileForm(**file.options), ending=""))
    except IntakeError as refusal:
        return [], str(refusal)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a child of its own would end with it, and this is what would be said then
        return [], child_process._DAMAGED
    return [cells.names, *zip(*(column.to_pylist() for column in cells.columns), strict=True)], ""


if __name__ == "__main__":
    main(sys.argv[1:])
