"""The tables that come with the project agree with what is declared about them."""

from collections import Counter
from datetime import date

import numpy as np
import pytest

from dpengine.data import (
    CategoryColumn,
    CategoryCounts,
    DateColumn,
    NumberColumn,
    PeopleCount,
    RowCount,
    load_sample,
    sample_description,
    sample_frame,
    sample_names,
    sample_schema,
)
from dpengine.data.samples.patients import patient_columns
from dpengine.errors import InvalidParameterError
from tests.examples.tables import shared_sample

ROWS = {"rand_hie": 20_190, "anes_1996": 944, "patients": 2_000}


def test_the_names():
    assert sample_names() == ("rand_hie", "anes_1996", "patients")
    with pytest.raises(InvalidParameterError, match="sample must be one of"):
        load_sample("titanic")


@pytest.mark.parametrize("name", sample_names())
class TestEverySample:
    def test_every_cell_fits_its_declaration(self, name):
        table, schema = shared_sample(name)
        report = table.intake_report
        assert (table.schema, table.built_in, schema.name) == (sample_schema(name), True, name)
        assert (report.rows_read, report.rows_without_identifier, report.rows_beyond_limit) == (ROWS[name], 0, 0)
        assert sum(column.misfits for column in report.columns) == 0
        assert report.undeclared == ()
        assert table.run(RowCount()).tolist() == [ROWS[name]]
        assert table.run(PeopleCount()).tolist() == [schema.people]

    def test_bounds_hold_all_but_a_few_large_values_and_complete_columns_are_complete(self, name):
        frame, missing = sample_frame(name), {c.name: c.missing for c in shared_sample(name)[0].intake_report.columns}
        for column in sample_schema(name).columns:
            if isinstance(column, NumberColumn):
                values = frame[column.name].replace("", np.nan).astype(float)
                assert column.complete == (missing[column.name] == 0)
                assert values.dropna().between(column.lower, column.upper).mean() > 0.99
            else:
                assert missing[column.name] == 0

    def test_every_declared_category_occurs(self, name):
        table, schema = shared_sample(name)
        for column in schema.columns:
            if isinstance(column, CategoryColumn):
                assert table.run(CategoryCounts(column=column.name, values=column.categories)).min() > 0

    def test_the_description_says_source_and_license_in_plain_words(self, name):
        assert "Source: " in sample_description(name)
        assert "License: " in sample_description(name)


def test_people_of_the_health_experiment_have_up_to_five_rows():
    schema = sample_schema("rand_hie")
    counts = Counter(sample_frame("rand_hie")["person"])
    assert (schema.unit.identifier, schema.unit.rows) == ("person", 5)
    assert (min(counts.values()), max(counts.values())) == (1, 5)


def test_each_load_is_a_table_of_its_own():
    first, second = load_sample("anes_1996")[0], load_sample("anes_1996")[0]
    assert first.fingerprint(b"x") == second.fingerprint(b"x")
    first.close()
    assert second.run(RowCount()).tolist() == [944]


class TestPatients:
    def test_they_are_the_same_at_every_start(self):
        assert patient_columns() == patient_columns()

    def test_each_has_a_name_of_their_own(self):
        assert len(set(patient_columns()["name"])) == 2_000

    def test_ages_agree_with_the_dates(self):
        frame = sample_frame("patients")
        for birth, admission, age in zip(frame["date_of_birth"], frame["admission"], frame["age"], strict=True):
            born, day = date.fromisoformat(birth), date.fromisoformat(admission)
            assert int(age) == day.year - born.year - ((day.month, day.day) < (born.month, born.day))
            assert 0 <= int(age) <= 120

    def test_zip_sex_and_birth_date_single_most_people_out(self):
        frame = sample_frame("patients")
        sizes = frame.groupby(["zip", "sex", "date_of_birth"])["name"].transform("size")
        assert (sizes == 1).mean() > 0.95

    def test_diseases_are_many_and_none_rules(self):
        shares = sample_frame("patients")["disease"].value_counts(normalize=True)
        assert set(shares.index) == {"none", "asthma", "diabetes", "flu", "heart disease", "hypertension", "mumps"}
        assert shares.between(0.04, 0.45).all()

    def test_dates_are_within_the_declared_ranges(self):
        columns = [column for column in sample_schema("patients").columns if isinstance(column, DateColumn)]
        assert [column.name for column in columns] == ["date_of_birth", "admission"]
