"""What our pages use of Streamlit beyond its published interface: read from the source, without running it."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tests.architecture.rules import nodes, parsed

PUBLISHED = frozenset({"streamlit.delta_generator.DeltaGenerator", "streamlit.starlette.App"})
"""Found deep in the package, yet described in Streamlit's documentation."""
_HANDED_OUT: Mapping[str, tuple[type, ...]] = {
    "streamlit.runtime": (Runtime,),
    "streamlit.runtime.Runtime": (Runtime,),
    "streamlit.runtime.get_instance": (Runtime,),
    "streamlit.runtime.app_session.AppSession": (ScriptRunner,),
    "streamlit.runtime.memory_uploaded_file_manager.MemoryUploadedFileManager": (MemoryUploadedFileManager,),
    "streamlit.runtime.scriptrunner.get_script_run_ctx": (ScriptRunContext,),
    "streamlit.runtime.uploaded_file_manager.UploadedFile": (UploadedFile,),
}
"""Whose members a file may reach that imports this."""
_ADDRESS = re.compile(r"/?_stcore/[\w/-]+|/oauth2callback|/auth/log(?:in|out)")
_MODULE = re.compile(r"streamlit(\.\w+)+")
_DRAWN = (
    ("test id", re.compile(r"""\[data-testid[\^*$|~]?=["']([^"']+)["']\]""")),
    ("class", re.compile(r"\.(st[A-Z]\w*|st-key-)")),
    ("class", re.compile(r'\[class\*="(st-key-)')),
    ("attribute", re.compile(r"\[(data-(?!testid|part|save)[\w-]+(?=[=\]])|kind(?==))")),
    ("label", re.compile(r'\[aria-label[\^*$|~]?="([^"]+)"\]')),
)


def used(path: Path) -> set[str]:
    """The names that one file uses: of modules, their members, addresses, and what the browser is shown."""
    if path.suffix not in {".py", ".js", ".css", ".html"}:
        return set()
    text = path.read_text(encoding="utf-8")
    return in_a_style(text) | (in_python(text) if path.suffix == ".py" else set())


def in_a_style(text: str) -> set[str]:
    """Test ids, classes, attributes and labels of Streamlit's elements by which we find them in the browser."""
    return {f"{kind} {name}" for kind, looks in _DRAWN for name in looks.findall(text)}


def in_python(source: str) -> set[str]:
    """Imports from within the package, what is reached through them, and texts that name a module or an address."""
    if not any(word in source for word in ("streamlit", "_stcore", "/oauth2callback", "/auth/")):
        return set()
    tree = parsed(source)
    bound = dict(_imports(tree))
    private = {full for full in bound.values() if full != "streamlit"} - PUBLISHED
    found = private | set(_chains(tree, bound)) | set(_texts(tree))
    if private:
        found |= set(_members(tree, bound, private))
    return {name for name in found if not any(other.startswith(f"{name}.") for other in found)}


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Each name of a file, and what of Streamlit it stands for."""
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom) and _of_streamlit(node.module or ""):
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _of_streamlit(alias.name):
                    yield alias.asname or alias.name, alias.name


def _of_streamlit(module: str) -> bool:
    return module.partition(".")[0] == "streamlit"


def _chains(tree: ast.AST, bound: Mapping[str, str]) -> Iterator[str]:
    """What is reached through an imported name; of `st` itself only what begins with an underscore."""
    for node in nodes(tree):
        full = _written(node, bound) if isinstance(node, ast.Attribute) else ""
        root = bound.get(ast.unparse(node).partition(".")[0]) if full else "streamlit"
        if root not in PUBLISHED and (root != "streamlit" or full.startswith("streamlit._")):
            yield full


def _written(node: ast.expr, bound: Mapping[str, str]) -> str:
    """The whole name of a chain of attributes that begins with an imported name; else empty."""
    if isinstance(node, ast.Name):
        return bound.get(node.id, "")
    before = _written(node.value, bound) if isinstance(node, ast.Attribute) else ""
    return f"{before}.{node.attr}" if before and isinstance(node, ast.Attribute) else ""


def _members(tree: ast.AST, bound: Mapping[str, str], private: set[str]) -> Iterator[str]:
    """Members of what Streamlit hands out, and whatever begins with an underscore and is not our own."""
    classes = {one for name in private for one in _HANDED_OUT.get(name, ())}
    for node in nodes(tree):
        if not isinstance(node, ast.Attribute) or _written(node, bound) or node.attr.startswith("__"):
            continue
        if node.attr.startswith("_"):
            own = isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}
            yield from () if own else (f"member {node.attr}",)
        else:
            yield from (f"member {one.__name__}.{node.attr}" for one in classes if node.attr in _known(one))


@cache
def _known(kind: type) -> frozenset[str]:
    """The members of a class, those included that each of its values begins with."""
    begins_with = re.findall(r"self\.(\w+)(?:: [^=\n]+)? = ", inspect.getsource(kind))
    return frozenset((*vars(kind), *vars(kind).get("__annotations__", ()), *begins_with))


def _texts(tree: ast.AST) -> Iterator[str]:
    """Names of Streamlit's modules and its addresses that stand in a text of the program."""
    for node in nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if _MODULE.fullmatch(node.value):
                yield f"text {node.value}"
            yield from (f"address {'/' + one.strip('/')}" for one in _ADDRESS.findall(node.value))
