"""How the file in hand is to be read: as a first look proposes, until its person says otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dpengine.data import Column, Preview, Schema, Table, preview, read_table
from dpengine.data.files.file_form import OWN_DELIMITERS, UTF_8, FileForm
from dpengine.data.files.notation import PLAIN
from dpengine.data.files.reading import ReadingWatch
from dpengine.data.typed.misfits import Misfits, misfits_of
from dpengine.errors import DPEngineError, IntakeError
from pages import session
from pages.plan.table import brought_file, file_words
from pages.plan.table.table_source import InHand
from pages.widgets import number_box
from pages.widgets.options import apart

DELIMITERS = {",": "comma  ,", ";": "semicolon  ;", "\t": "tab", "|": "vertical bar  |"}
DECIMALS = {".": "point  3.5", ",": "comma  3,5"}
THOUSANDS = {
    "": "nothing  1000",
    ",": "comma  1,000",
    ".": "point  1.000",
    " ": "space  1 000",
    "'": "apostrophe  1'000",
}
DATES = {
    "iso": "only  2024-12-31",
    "day first": "day first  31.12.2024",
    "month first": "month first  12/31/2024",
    "year first": "year first  2024/12/31",
}
ENCODINGS: Mapping[str, str] = {
    "utf-8": "UTF-8, usual today",
    "windows-1252": "Windows, Western Europe",
    "iso-8859-1": "Latin-1 (ISO 8859-1)",
    "iso-8859-15": "Latin-9 (ISO 8859-15)",
    "utf-16": "UTF-16, Excel's “Unicode text”",
    "ascii": "ASCII",
    "windows-1250": "Windows, Central Europe",
    "windows-1251": "Windows, Cyrillic",
    "iso-8859-2": "Latin-2 (ISO 8859-2)",
    "mac-roman": "Old Macintosh",
    "shift_jis": "Japanese (Shift JIS)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese (Big5)",
    "euc-kr": "Korean (EUC-KR)",
}
_FORMATS: Mapping[str, str] = {
    "csv": "csv",
    "txt": "csv",
    "tsv": "tsv",
    "tab": "tsv",
    "parquet": "parquet",
    "pq": "parquet",
    "xlsx": "xlsx",
}


_MOST_LOOKS = 8
_FORM_LIKE_ALL = FileForm(encoding=UTF_8, decimal=PLAIN.decimal, thousands="", dates=PLAIN.dates, header=1, skip_last=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file in hand and how it is to be read; nothing of it is declared yet."""

    content: bytes = field(repr=False)
    identity: str
    shown_name: str
    form: FileForm

    @property
    def suggested_name(self) -> str:
        """The file's name without its ending: what the table is called if nobody says otherwise."""
        return self.shown_name.split(".", maxsplit=1)[0].strip()[:40] or "table"

    def preview(self) -> Preview:
        """Its first rows; raises DPEngineError for a file that cannot be read."""
        return preview(self.content, **asdict(self.form))

    def read(self, schema: Schema, reading: ReadingWatch) -> Table:
        """All of it; raises DPEngineError likewise."""
        return read_table(self.content, schema=schema, reading=reading, **asdict(self.form))

    def taken(self, table: Table) -> None:
        """That something was lost is said at once; how much waits until the curator asks."""
        look = _look(self)
        found = () if look is None else misfits(self, look, table.schema.columns)
        examples = {one.name: one.examples for one in found if one.examples}
        session.remember("lost_at_intake", (table, file_words.lost(table.intake_report, table.schema), examples))
        session.remember("doubt_at_intake", (table, file_words.may_name_people(look, table.schema)))
        brought_file.use(self.identity)

    def saying(self, **said: Any) -> Upload:
        """The same file, with this said about it."""
        return replace(self, form=replace(self.form, **said))


def chosen(file: UploadedFile) -> Upload:
    """Draw the choices that a file of this kind needs, each as a first look proposes, and take the file with them."""
    kind = _format(file.name)
    form = FileForm(format=kind, delimiter=OWN_DELIMITERS["tsv"] if kind == "tsv" else None)
    upload = Upload(content=file.getvalue(), identity=file.file_id, shown_name=file.name, form=form)
    told = st.empty()
    with st.expander("Change how the file is read"):
        upload = _CHOICES[kind](upload)
    told.caption(f"Read with {_in_words(upload.form)}.")
    return upload


def _of_parquet(upload: Upload) -> Upload:
    return upload.saying(dates=_choice("Dates that are text", DATES, "dates", upload))


def _in_words(form: FileForm) -> str:
    """How a file is read, in one line."""
    words = []
    if form.delimiter is not None:
        words += [
            f"a {DELIMITERS[form.delimiter].split()[0]} between cells",
            ENCODINGS[str(form.encoding)].split(",")[0],
        ]
    if form.header is not None:
        words.append(f"the header in {'row' if form.format == 'xlsx' else 'line'} {form.header}")
    if form.decimal is not None:
        words.append(f"numbers like 1{form.thousands}234{form.decimal}5")
    return ", ".join([*words, f"dates like {DATES[str(form.dates)].split()[-1]}"])


def _of_text(upload: Upload) -> Upload:
    """Choices of how the text becomes cells, where the table stands, then how numbers and days are written."""
    place = st.container(horizontal=True)
    with place:
        if upload.form.format == "csv":
            upload = upload.saying(delimiter=_choice("Delimiter", DELIMITERS, "delimiter", upload))
        letters = _choice("How letters are written (encoding)", ENCODINGS, "encoding", upload)
        upload = upload.saying(encoding=letters)
        cut = upload.form
        upload = _placed(upload, "line")
    with st.container(horizontal=True):
        upload = upload.saying(decimal=_choice("Decimal mark", DECIMALS, "decimal", upload, owner=cut))
        between = {mark: words for mark, words in THOUSANDS.items() if mark != upload.form.decimal}
        session.widget_stays_within("upload_thousands", list(between))
        upload = upload.saying(thousands=_choice("Between thousands", between, "thousands", upload, owner=cut))
        return upload.saying(dates=_choice("Dates", DATES, "dates", upload, owner=cut))


def _of_a_sheet(upload: Upload) -> Upload:
    """Choices of the sheet, and where on it the table stands."""
    with st.container(horizontal=True):
        upload = upload.saying(sheet=_sheet(upload))
        look = _look(upload)
        if look is not None and look.groups:
            ends = look.groups[0].split(":")[0], look.groups[-1].split(":")[1]
            named = {":".join(ends): f"all, {ends[0]} to {ends[1]}"}
            named |= {group: group.replace(":", " to ") for group in look.groups}
            upload = upload.saying(columns=_choice("Columns of the table", named, "columns", upload))
        cut = upload.form
        upload = _placed(upload, "row")
        return upload.saying(dates=_choice("Dates that are text", DATES, "dates", upload, owner=cut))


_CHOICES: Mapping[str, Callable[[Upload], Upload]] = {
    "csv": _of_text,
    "tsv": _of_text,
    "xlsx": _of_a_sheet,
    "parquet": _of_parquet,
}


def _placed(upload: Upload, unit: str) -> Upload:
    """The header's place, and how much at the end is no part of the table."""
    start, cut = _start(upload), upload.form
    boxes = (("header", f"Header in {unit}", 1), ("skip_last", f"Last {unit}s to leave out", 0))
    for name, label, least in boxes:
        key, first = f"upload_{name}", getattr(start, name) or least
        session.widget_starts_over(key, first, owner=(upload.identity, cut))
        options = {"min_value": least, "step": 1, "persist_state": "session"}
        said = number_box.kept(st.container(), label, key=key, start=first, **options)
        upload = upload.saying(**{name: int(said)})
    return upload


def _choice(label: str, options: Mapping[str, str], name: str, upload: Upload, *, owner: object = None) -> str:
    """A menu that starts at what a first look at the file proposes, anew for every owner."""
    start = getattr(_start(upload), name)
    key = f"upload_{name}"
    session.widget_starts_over(key, start if start in options else next(iter(options)), owner=(upload.identity, owner))
    return str(
        st.selectbox(
            label, list(options), format_func=apart(options, options.__getitem__), key=key, persist_state="session"
        )
    )


def _start(upload: Upload) -> FileForm:
    """What a look at the file proposes where nothing is said yet; as most files are where it cannot be read."""
    look = _look(upload)
    if look is not None:
        return look.form
    likely = replace(_FORM_LIKE_ALL, delimiter=OWN_DELIMITERS.get(str(upload.form.format)))
    said = {name: value for name, value in asdict(upload.form).items() if value is not None}
    return replace(likely, **said)


def _format(file_name: str) -> str:
    parts = file_name.lower().removesuffix(".gz").rsplit(".", maxsplit=1)
    kind = _FORMATS.get(parts[-1]) if len(parts) > 1 else "csv" if file_name.lower().endswith(".gz") else None
    if kind is None:
        raise IntakeError(
            f"{file_name[-40:]!r} is of a kind that is not read; bring a .csv, .tsv, .txt, .gz, .parquet or .xlsx."
        )
    return kind


def _sheet(upload: Upload) -> str | None:
    """The sheet to be read: from a list once it is known, typed where no sheet of the workbook could be read so far."""
    look = _look(upload)
    known = () if look is None else look.sheets
    session.widget_starts_over("upload_sheet", known[0] if known else None, owner=upload.identity)
    if len(known) > 1:
        session.widget_stays_within("upload_sheet", known)
        return str(st.selectbox("Sheet of the workbook", known, key="upload_sheet", persist_state="session"))
    if known:
        return None
    typed = st.text_input(
        "Sheet of the workbook",
        key="upload_sheet",
        placeholder="the name of another sheet",
        persist_state="session",
    )
    return str(typed or "").strip() or None


def previewed(upload: InHand) -> Preview:
    """The first rows as text, read once for each choice; raises DPEngineError for a file that cannot be read."""
    looks = _looks(upload)
    if upload.form not in looks:
        found: Preview | DPEngineError
        try:
            with st.spinner("Reading the first rows"):
                found = upload.preview()
        except DPEngineError as error:
            found = error
        latest = dict(list(looks.items())[-_MOST_LOOKS:])
        looks = latest | {upload.form: found} | ({found.form: found} if isinstance(found, Preview) else {})
        session.remember("upload_preview", (upload.identity, looks))
    found = looks[upload.form]
    if isinstance(found, DPEngineError):
        raise found
    return found


def misfits(upload: InHand, read: Preview, columns: tuple[Column, ...]) -> tuple[Misfits, ...]:
    """Which cells of the first rows do not fit these columns, looked for once."""
    asked = (upload.identity, upload.form, columns)
    kept = session.remembered("upload_misfits", None)
    if not (isinstance(kept, tuple) and kept[0] == asked):
        kept = (asked, () if read.sample is None else misfits_of(read.sample, columns))
        session.remember("upload_misfits", kept)
    return cast("tuple[Misfits, ...]", kept[1])


def _look(upload: Upload) -> Preview | None:
    """The first rows of a file of which not everything is said, None where they cannot be read."""
    looks = _looks(upload)
    if upload.form not in looks:
        for look in looks.values():
            if isinstance(look, Preview) and _completes(look.form, upload.form):
                return look
    try:
        return previewed(upload)
    except DPEngineError:
        return None


def _completes(form: FileForm, said: FileForm) -> bool:
    return all(value in (None, getattr(form, name)) for name, value in asdict(said).items())


def _looks(upload: InHand) -> dict[FileForm, Preview | DPEngineError]:
    """What was seen of this file so far, by what was said about it."""
    kept = session.remembered("upload_preview", None)
    return kept[1] if isinstance(kept, tuple) and kept[0] == upload.identity else {}
