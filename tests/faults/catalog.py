"""The planted faults: what is changed, and where it stands today. A fault names a function, never a path or a line."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LISTS = Path(__file__).parent / "planted"
CODE = ("dpengine", "pages")
_WORD = re.compile(r"\w+")
_SCRIPT_NAME = re.compile(r"^\s*(?:async |static |export )*(?:function )?(\w+)\s*\([^;]*\{\s*$", re.MULTILINE)
_SCRIPT_CLASS = re.compile(r"^class (\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One small change: inside `function`, `text` becomes something else. Both texts are as they stand in the code.

    `no_fault` says of one that was found to be none why it changes nothing that anybody could see; it is not planted.
    """

    name: str
    function: str
    text: str
    becomes: str
    no_fault: str = ""
    package: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a fault's text stands in one checkout: file, offset, the definition around it, and what to probe.

    `begin` and `end` are the definition's characters, `lines` the first lines of the functions in it.
    """

    path: Path
    offset: int
    begin: int
    end: int
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A definition in a file: its dotted name, the characters it covers, and the first line of each function in it."""

    name: str
    begin: int
    end: int
    lines: tuple[int, ...]


def listed(folder: Path = LISTS) -> list[Fault]:
    """Every fault of every list, in order; a file's name is its package. Raises ValueError where two share a name."""
    faults = [
        Fault(**entry, package=path.stem)
        for path in sorted(folder.glob("*.toml"))
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]
    ]
    names = [fault.name for fault in faults]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"Two faults share a name: {', '.join(twice)}")
    return faults


def place(fault: Fault, root: Path) -> Place:
    """The one place in the checkout where the fault's function holds its text. Raises LookupError with what to mend."""
    own_name = fault.function.rpartition(".")[2]
    found = {
        (path, piece.begin + match.start()): piece
        for path, text in _sources(root).get(own_name, {}).items()
        if fault.text in text
        for piece in _pieces(text, is_script=path.suffix == ".js")
        if piece.name == fault.function or piece.name.endswith(f".{fault.function}")
        for match in re.finditer(re.escape(fault.text), text[piece.begin : piece.end])
    }
    if len(found) != 1:
        raise LookupError(f"{fault.name}: {fault.function} holds its text in {len(found)} places, not in one")
    ((path, offset), piece) = next(iter(found.items()))
    return Place(path=path, offset=offset, begin=piece.begin, end=piece.end, lines=piece.lines)


def planted(fault: Fault, text: str, offset: int) -> str:
    """The file's text with the fault in it."""
    return text[:offset] + fault.becomes + text[offset + len(fault.text) :]


def write(path: Path, text: str) -> None:
    """Write a module and drop its compiled form, which Python would believe within the same second."""
    path.write_text(text, encoding="utf-8")
    _sources.cache_clear()
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


@cache
def _sources(root: Path) -> dict[str, dict[Path, str]]:
    """For each word the sources of a checkout that hold it, read again once one of them was written."""
    holding: dict[str, dict[Path, str]] = defaultdict(dict)
    for path in sorted(path for folder in CODE for path in (root / folder).rglob("*") if path.suffix in {".py", ".js"}):
        text = path.read_text(encoding="utf-8")
        for word in set(_WORD.findall(text)):
            holding[word][path] = text
    return holding


@cache
def _pieces(text: str, *, is_script: bool) -> tuple[_Piece, ...]:
    """The definitions in a file."""
    return tuple(_of_script(text) if is_script else _of_python(text))


def _of_python(text: str) -> Iterator[_Piece]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    tree = ast.parse(text)
    bodies = {node.lineno: node.body[0].lineno for node in _functions(tree)}
    yield from _definitions(tree, "", starts, bodies)


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function in a module or a statement; none stands in an expression."""
    for block in ("body", "handlers", "cases", "orelse", "finalbody"):
        for child in getattr(node, block, ()):
            if isinstance(child, _FUNCTIONS):
                yield child
            yield from _functions(child)


def _definitions(node: ast.AST, above: str, starts: list[int], bodies: Mapping[int, int]) -> Iterator[_Piece]:
    """Functions and classes with all that is in them, and what a module or a class assigns to a name.

    `bodies` holds, for the line of each function of the file, that of its first statement.
    """
    everything = tuple(bodies.values())
    for child in getattr(node, "body", ()):
        if isinstance(child, (*_FUNCTIONS, ast.ClassDef)):
            name = f"{above}.{child.name}" if above else child.name
            first = min([child.lineno, *(one.lineno for one in child.decorator_list)])
            last = child.end_lineno or 0
            inner = tuple(body for line, body in bodies.items() if child.lineno <= line <= last)
            yield _Piece(name, starts[first - 1], starts[last] - 1, inner or everything)
            yield from _definitions(child, name, starts, bodies)
        elif isinstance(child, (ast.Assign, ast.AnnAssign)) and not isinstance(node, _FUNCTIONS):
            targets = child.targets if isinstance(child, ast.Assign) else [child.target]
            for target in ast.walk(ast.Tuple(elts=list(targets))):
                if isinstance(target, ast.Name):
                    name = f"{above}.{target.id}" if above else target.id
                    yield _Piece(name, starts[child.lineno - 1], starts[child.end_lineno or 0], everything)


def _of_script(text: str) -> Iterator[_Piece]:
    """A script's functions and methods, each up to the next one."""
    found = list(_SCRIPT_NAME.finditer(text))
    ends = [*(match.start() for match in found), len(text)][1:]
    for match, end in zip(found, ends, strict=True):
        classes = [one[1] for one in _SCRIPT_CLASS.finditer(text, 0, match.start())]
        method = match[0].lstrip("\n").startswith(" ")
        yield _Piece(f"{classes[-1]}.{match[1]}" if classes and method else match[1], match.start(), end, ())
