"""The tables that whoever runs the server has configured: a person in a browser picks one by its name alone.

EPSILON_EXPLORER_TABLES names a TOML file with a section for each table:

    [visits]
    url = "postgresql://reader:${VISITS_PASSWORD}@db.example.org:5432/clinic?table=public.visits&trusted=clinic"
    description = "Visits to the clinic since 2019"

${NAME} stands for the value of an environment variable, so that the file need not hold a password.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from dpengine.data.connected.addresses import address_of
from dpengine.data.connected.connections import OPENERS
from dpengine.data.declared.columns import require_name
from dpengine.data.declared.schema import Schema
from dpengine.data.files.reading import UNWATCHED, ReadingWatch
from dpengine.data.intake.description import describe
from dpengine.data.intake.preview import Preview
from dpengine.data.intake.table_intake import read_table
from dpengine.data.table import Table
from dpengine.errors import IntakeError, InvalidParameterError, named, require_fields

TABLES_VARIABLE = "EPSILON_EXPLORER_TABLES"
_KEYS = {"url", "description"}
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class ConfiguredTable:
    """A table by the name that people pick, with a sentence on what it holds; its URL is never shown."""

    name: str
    url: str = field(repr=False)
    description: str = ""

    def __post_init__(self) -> None:
        require_name(self.name)
        require_fields(self)
        address_of(self.url, OPENERS)

    def open(self, schema: Schema, *, reading: ReadingWatch = UNWATCHED) -> Table:
        """The table under a declared schema; raises IntakeError and EngineError as read_table does."""
        return read_table(self.url, schema=schema, reading=reading)

    def describe(self, *, rows: int = 20) -> Preview:
        """Names, kinds and first rows for the curator who declares the schema."""
        return describe(self.url, rows=rows)


def configured_tables(
    path: str | Path | None = None, *, environment: Mapping[str, str] | None = None
) -> Mapping[str, ConfiguredTable]:
    """Every configured table by its name, in the file's order; none where no file is named.

    The file is the one at `path`, else the one that EPSILON_EXPLORER_TABLES names in the `environment`, by default that
    of this process. Raises IntakeError, which says the section but quotes no URL.
    """
    known = os.environ if environment is None else environment
    chosen = path or known.get(TABLES_VARIABLE)
    if not chosen:
        return {}
    sections = _sections(Path(chosen))
    return {name: _table(name, section, known) for name, section in sections.items()}


def _sections(path: Path) -> dict[str, object]:
    """What the file says; a fault of its form is told by its line alone, which holds no password."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at .*\)$", str(error))
        where = found.group() if found else ""
    except (OSError, UnicodeDecodeError):
        raise IntakeError(f"The file of configured tables, {path.name!r}, cannot be read.") from None
    raise IntakeError(f"The file of configured tables, {path.name!r}, is not written in TOML {where}.")


def _table(name: str, section: object, environment: Mapping[str, str]) -> ConfiguredTable:
    if not isinstance(section, Mapping) or not isinstance(section.get("url"), str):
        raise IntakeError(f'The table {name!r} is configured without its address: url = "postgresql://...".')
    unknown = sorted(set(section) - _KEYS)
    if unknown:
        raise IntakeError(f"The table {name!r} is configured with {unknown[0]!r}; known are 'url' and 'description'.")
    url = _VARIABLE.sub(lambda found: _value(found.group(1), name, environment), section["url"])
    try:
        return ConfiguredTable(name=name, url=url, description=section.get("description", ""))
    except InvalidParameterError as error:
        reason = f"{error.name} must be {error.rule}"
    except IntakeError as error:
        reason = str(error)
    raise IntakeError(f"The table {name!r} is not configured as it must be: {reason}")


def _value(variable: str, name: str, environment: Mapping[str, str]) -> str:
    if variable not in environment:
        raise IntakeError(
            f"The address of the table {name!r} needs the environment variable {variable}, which is not set."
        )
    return quote(environment[variable], safe="")
