"""A preview guesses kinds for the form, says so, and never proposes a bound."""

import dataclasses
import datetime as dt
import decimal
import gzip
import io
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpengine.data import PrivacyUnit, Schema, TextColumn, preview, read_table
from dpengine.data.aggregates.contributions import contributions_of
from dpengine.data.files import csv_text, file_cells
from dpengine.data.files.csv_faults import whole_records
from dpengine.data.files.file_cells import batches_of
from dpengine.data.files.file_form import FileForm
from dpengine.data.files.reading import ReadingWatch
from dpengine.data.intake.preview import guess
from dpengine.errors import IntakeError

pytestmark = pytest.mark.usefixtures("parsed_here")
SAMPLE_BYTES = 2**18
"""As much as a first look takes of a text here: less than of a real one, and more than its first thousand rows."""


@pytest.fixture
def short_looks(monkeypatch):
    for module in (csv_text, file_cells):
        assert module.SAMPLE_BYTES > SAMPLE_BYTES
        monkeypatch.setattr(module, "SAMPLE_BYTES", SAMPLE_BYTES)


def test_guesses():
    for cells, kind, categories in [
        (["1", "2.5", "", "-3e2"], "number", ()),
        (["1", "1", "2"], "number", ()),
        (["yes", "no", "", "YES"], "boolean", ()),
        (["0", "1", "1"], "boolean", ()),
        (["1", "1", "1"], "number", ()),
        (["2020-01-31", "", "1999-12-01"], "date", ()),
        (["2020-02-30", "2020-02-30"], "category", ("2020-02-30",)),
        (["02138", "02139", "02138"], "category", ("02138", "02139")),
        (["a", "b", "a", ""], "category", ("a", "b")),
        (["a", "b", "c"], "text", ()),
        ([f"name {i % 25}" for i in range(100)], "text", ()),
        ([f"name {i % 20}" for i in range(100)], "category", tuple(sorted(f"name {i}" for i in range(20)))),
        ([str(i) for i in range(100)], "text", ()),
        ([str(i / 2) for i in range(100)], "number", ()),
        (["", ""], "text", ()),
        (["1", "x"], "text", ()),
        ([*map(str, range(100, 140)), "n/a", "about 3"], "number", ()),
        ([*map(str, range(100, 140)), *("about 3",) * 5], "text", ()),
        (["1", "2", "3"] * 10 + ["n/a", "?"], "number", ()),
        (["1", "2", "3"] * 10 + ["4+"], "category", ("1", "2", "3", "4+")),
        ([f"2020-01-{day:02}" for day in range(1, 29)] + ["unknown"], "date", ()),
        (["02138", *map(str, range(10_000, 10_040))], "text", ()),
    ]:
        found = guess("x", cells)
        assert (found.kind, found.categories) == (kind, categories), (cells, kind, categories)


def test_numbers_without_repetition_are_measures_under_a_measures_name_alone():
    cells = [str(20 + i) for i in range(40)]
    assert [guess(name, cells).kind for name in ("age", "Alter", "x", "zip")] == ["number", "number", "text", "text"]


def numbers_of(count, each, *, start=0, step=1):
    """So many different whole numbers, each standing there so often on average."""
    rng = random.Random(1)
    return [str(start + step * rng.randrange(count)) for _ in range(round(count * each))]


PEOPLE_BY_NAME = (
    *("patient_id", "ID", "Kundennr", "personNumber", "no", "patientid", "ssn", "mrn", "case", "Kunde", "account"),
    *("Kundennummer", "Personalnr", "Case No.", "custID", "user key", "Versicherten-Nr", "Matrikelnummer", "Konto"),
    *("numéro de client", "Matricule", "clé", "código", "Número de paciente", "cuenta", "dossier", "patientIDs"),
)
NOT_PEOPLE_BY_NAME = (
    *("age", "paid", "income", "notes", "covid", "cases", "accounts", "number_of_visits", "num_children", "visits"),
    *("patient_age", "Kundenumsatz", "Patientenalter", "client_since_year", "montant_client", "zip_code", "PLZ"),
    *("Hausnummer", "code postal", "código postal", "edad", "household_size", "case count", "x", "no_of_beds"),
)
GIVEN_OUT = {
    "in a row from 1": numbers_of(400, 2),
    "in a row from far up": numbers_of(500, 1.5, start=20_240),
    "long and of one length": numbers_of(800_000, 0.001, start=100_000) * 2,
    "with a fraction that is none": [f"{cell}.0" for cell in numbers_of(400, 2)],
    "with a word for nothing": [*numbers_of(400, 2), "n/a"],
}
MEASURED = {
    "ages": numbers_of(80, 1.2, start=18),
    "heights": numbers_of(50, 2, start=150),
    "years": numbers_of(90, 1.5, start=1930),
    "repeated often": numbers_of(300, 5),
    "sums of money": [str(round(1.01**i) * 7) for i in range(0, 1500, 2)] * 2,
    "round sums of one length": numbers_of(8000, 0.1, start=100_000, step=100) * 2,
    "zip codes": numbers_of(80_000, 0.01, start=10_000) * 2,
    "days": [f"2024{1 + i % 12:02}{1 + i % 28:02}" for i in range(200)],
    "fractions": [f"{i}.5" for i in range(50)] * 2,
}


def test_it_says_how_often_a_number_repeats_that_may_name_people_and_of_no_other():
    numbers = [str(i % 50) for i in range(100)]
    for name in PEOPLE_BY_NAME:
        assert (guess(name, numbers).kind, guess(name, numbers).rows_each) == ("number", 2.0), name
    for name in NOT_PEOPLE_BY_NAME:
        assert guess(name, numbers).rows_each == 0.0, name
    for said, cells in (GIVEN_OUT | MEASURED).items():
        found = guess("x", cells)
        assert (found.kind, found.rows_each > 1.0) == ("number", said in GIVEN_OUT), said
    assert guess("betrag", GIVEN_OUT["in a row from 1"]).rows_each == 0.0, "Its name says what it is."
    assert guess("id", ["1", "2"] * 50).rows_each == 0.0, "So few are no people."
    assert guess("id", MEASURED["fractions"]).rows_each == 0.0, "Nobody is a half."
    assert guess("who", [f"name {i % 40}" for i in range(100)]).rows_each == 2.5


def test_it_shows_the_first_rows_as_text_and_looks_at_a_sample_only():
    lines = ["zip,age"] + ["02138,31"] * 1000 + ["nowhere,old"]
    seen = preview("\n".join(lines).encode(), rows=3)
    assert seen.names == ("zip", "age")
    assert seen.rows == (("02138", "31"),) * 3
    assert seen.sampled == 1000
    assert [column.kind for column in seen.columns] == ["category", "number"]


def test_it_never_proposes_bounds_and_says_that_it_guesses():
    seen = preview(b"age\n31\n64\n")
    assert {field.name for field in dataclasses.fields(seen.columns[0])} == {"name", "kind", "categories", "rows_each"}
    assert "guesses from all rows" in seen.warning
    assert "31" not in repr(seen)


def test_it_reads_and_refuses_as_read_table_does():
    assert preview("a;b\n1;é\n".encode("latin-1"), encoding="latin-1", delimiter=";").rows == (("1", "é"),)
    assert preview(b"a\tb\n1\t2\n", format="tsv").names == ("a", "b")
    with pytest.raises(IntakeError, match="Line 2 has 1 cell"):
        preview(b"a,b\n1\n")


def beginning(content, **form):
    """The first two rows that the process apart would hand over."""
    _, columns = next(iter(batches_of(content, form=FileForm(**form), ending="", sample=True).tidy()))
    return list(zip(*(column.slice(0, 2).to_pylist() for column in columns), strict=True))


@pytest.mark.usefixtures("short_looks")
def test_of_a_large_text_the_beginning_is_read():
    line = b'"a ""b"",\n\xc3\xa9",02138\n'
    content = b"text,zip\n" + line * (5 * SAMPLE_BYTES // 4 // len(line))
    seen = preview(gzip.compress(content, 1), rows=2)
    assert seen.rows == (('a "b",\né', "02138"),) * 2
    assert (seen.sampled, seen.form.header, seen.form.skip_last) == (1000, 1, 0)
    for whole in (content + b"ragged\n", content + b'"unclosed', content + b"\xff"):
        assert beginning(whole) == [('a "b",\né', "02138")] * 2
    with pytest.raises(IntakeError, match="has 1 cell"):
        beginning(b"text,zip\n" + line * 10 + b"ragged\n" + line * (2 * SAMPLE_BYTES // len(line)))


@pytest.mark.usefixtures("short_looks")
def test_of_a_text_whose_end_is_not_seen_the_first_table_is_proposed_and_nothing_is_left_out():
    titled, row = b"Report\n\ntext,zip\n", b"some words,02138\n"
    for rows, totals in ((1_000, 1), (SAMPLE_BYTES // len(row), 0)):
        seen = preview(titled + row * rows + b"\nTotal,7\n")
        assert (seen.form.header, seen.left_out.above_says, seen.form.skip_last) == (3, "Report", totals)


@pytest.mark.usefixtures("short_looks")
@pytest.mark.parametrize("encoding", ["utf-16", "shift_jis"])
def test_a_large_text_in_another_encoding_may_be_cut_within_a_letter(encoding):
    content = ("x\n" + "表アB\n" * SAMPLE_BYTES).encode(encoding)[: 2 * SAMPLE_BYTES]
    assert beginning(content, encoding=encoding)[0] == ("表アB",)


def test_a_part_of_a_text_ends_with_a_whole_record():
    for text, kept in [
        (b"a\nb\nc", b"a\nb\n"),
        (b"a\rb\rc", b"a\rb\r"),
        (b'a\n"b\nc\n', b"a\n"),
        (b'a\n"b""\n"\nc', b'a\n"b""\n"\n'),
        (b'a\n"b\n""', b"a\n"),
        (b"abc", b"abc"),
        (b'"a\nb\n', b'"a\nb\n'),
    ]:
        assert whole_records(text) == kept, (text, kept)


def test_a_preview_looks_into_parquet_and_tells_no_sheets_of_it():
    file = io.BytesIO()
    pq.write_table(pa.table({"zip": ["02138"] * 5000, "n": list(range(5000))}), file)
    seen = preview(file.getvalue())
    assert (seen.sampled, seen.sheets) == (1000, ())
    assert [column.kind for column in seen.columns] == ["category", "text"]


@pytest.mark.usefixtures("short_looks")
def test_it_says_whether_its_rows_are_all_that_there_are():
    for rows, seen in ((1, "all rows"), (999, "all rows"), (1001, "the first 1,000 rows")):
        assert preview(b"a\n" + b"1\n" * rows).seen == seen
    wide = preview(b"a\n" + (b"x" * 2**14 + b"\n") * (SAMPLE_BYTES // 2**14 + 1))
    assert wide.seen == f"the first {wide.sampled} rows", "Only a part of it was looked at."


EMPTY_AT_FIRST = {
    "level": pa.array([None] * 1000 + [2.5]),
    "visits": pa.array([None] * 1000 + [3]),
    "paid": pa.array([None] * 1000 + [decimal.Decimal("1.50")]),
    "seen": pa.array([None] * 1000 + [dt.date(2020, 1, 2)]),
    "left": pa.array([None] * 1000 + [dt.datetime(2020, 1, 2)]),  # noqa: DTZ001 - a file's own
    "ill": pa.array([None] * 1000 + [True]),
    "note": pa.array([None] * 1000 + ["x"]),
    "coded": pa.array([None] * 1000 + [7]).dictionary_encode(),
}


def test_a_column_of_a_type_is_of_its_kind_although_its_first_rows_are_empty(monkeypatch):
    monkeypatch.undo()  # the types come from the process apart
    kinds = ["number"] * 3 + ["date"] * 2 + ["boolean", "text", "number"]
    file = io.BytesIO()
    pq.write_table(pa.table(EMPTY_AT_FIRST), file)
    assert [column.kind for column in preview(file.getvalue()).columns] == kinds
    look = io.BytesIO()
    pq.write_table(pa.table({"ward": [1.0, 2.0, float("inf")], "flag": [0, 1, 1], "patient": [1.5, 2.5, 2.5]}), look)
    assert [column.kind for column in preview(look.getvalue()).columns] == ["number", "boolean", "number"]


def test_a_person_hears_and_may_stop_a_preview():
    heard = []
    preview(b"a\n1\n", reading=ReadingWatch(progress=lambda *told: heard.append(told)))
    assert heard[0] == (0, "Opening the file")
    assert heard[-1] == (1, "Ready")
    with pytest.raises(IntakeError, match="Reading was stopped"):
        preview(b"a\n1\n", reading=ReadingWatch(cancelled=lambda: True))
    with pytest.raises(IntakeError, match="at most 1,048,576"):
        preview(b"a\n" + b"1\n" * 2**20, upload_megabytes=1)


def test_rows_of_people_are_counted_before_a_file_is_used_as_they_are_afterwards():
    content = b"who,cost\na,1\n,2\nb,3\n a ,4\n,5\n,6\n"
    look = preview(content)
    assert look.sample is not None
    unit = PrivacyUnit(identifier="who", rows=1)
    table = read_table(content, schema=Schema(name="t", columns=(TextColumn(name="who"),), unit=unit))
    assert contributions_of(look.sample, "who").people_with == table.contributions().people_with == {2: 1, 1: 1}
