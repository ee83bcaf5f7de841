"""Parquet as cells, unpacked in a child process with limited memory: a small file may claim to be gigabytes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa

from dpengine.data.cells import Cells
from dpengine.data.limits import COLUMNS, DECODED_BYTES, ROWS
from dpengine.errors import IntakeError

MEMORY_BYTES = 3 * 1024**3 // 2
SECONDS = 20
_CHILD = Path(__file__).with_name("parquet_child.py")
_SMALL = {"ARROW_DEFAULT_MEMORY_POOL": "system", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def read_parquet(content: bytes) -> Cells:
    """The cells of a Parquet file as canonical text; raises IntakeError, also where unpacking passes a limit."""
    limits = [str(limit) for limit in (MEMORY_BYTES, SECONDS, DECODED_BYTES, ROWS, COLUMNS)]
    try:
        child = subprocess.run(  # noqa: S603 - our own interpreter and our own file
            [sys.executable, "-I", str(_CHILD), *limits],
            input=content,
            capture_output=True,
            timeout=2 * SECONDS,
            check=False,
            env=dict(os.environ) | _SMALL,
        )
    except subprocess.TimeoutExpired:
        raise IntakeError(f"The Parquet file takes more than {SECONDS} seconds to unpack.") from None
    if child.returncode == 0:
        table = pa.ipc.open_stream(child.stdout).read_all()
        return Cells.of(table.column_names, table.columns)
    raise IntakeError(_reason(child.stderr))


def _reason(told: bytes) -> str:
    """The child's own sentence, or that it was stopped by the limits."""
    sentence = told.decode(errors="replace").strip()
    if sentence.startswith("REFUSED "):
        return sentence.removeprefix("REFUSED ")
    return (
        f"The Parquet file cannot be unpacked within {DECODED_BYTES:,} bytes of cells and {SECONDS} seconds, "
        "or it is damaged."
    )
