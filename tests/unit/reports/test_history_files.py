"""CSV and JSON hold all of an account, exactly; JSON gives the same answers and intervals back, and nothing else."""

import csv
import io
import json
import math
import random
from decimal import Decimal

import numpy as np
import pytest

from dpengine.errors import InvalidParameterError, LedgerError
from dpengine.ledger import History
from dpengine.privacy import Guarantee
from dpengine.release import release
from dpengine.reports import history_csv, history_from_json, history_json, privacy_label
from tests.examples.kept import EVERY_KIND, HOSTILE, history_of, hostile_schema, one_of_everything, taken_for_a_formula
from tests.examples.ledgers import ROWS, asking, ledger_at, opened, people
from tests.running.cases import each


@pytest.fixture(scope="module", params=["basic", "concentrated"])
def kept(request, tmp_path_factory):
    """The ledger, the account and its history, under one of the rules."""
    ledger, account = one_of_everything(tmp_path_factory.mktemp("kept"), rule=request.param)
    return ledger, account, History.of(account)


def table(history):
    return list(csv.DictReader(io.StringIO(history_csv(history), newline="")))


def test_a_history_is_what_the_ledger_says(kept):
    ledger, account, history = kept
    granted, spent = account.balance()
    assert (history.terms.granted, history.spent) == (granted, spent)
    assert history.head == ledger.head
    assert [line.entry for line in history.lines] == list(account.charges())
    assert [line.release for line in history.lines[:-1]] == list(account.releases())
    assert history.lines[-1].release is None
    assert history.lines[-1].granted == granted
    assert history.lines[0].granted == history.opened_with != granted


def test_after_two_raises_the_budget_is_that_of_the_last(tmp_path):
    account = opened(ledger_at(tmp_path / "b.db"), people(), epsilon=0.5)
    for epsilon in (0.6, 0.9):
        account.top_up(Guarantee(epsilon=epsilon), reason=f"up to {epsilon}")
    account.charge("r", asking(0.8))
    history = History.of(account)
    assert history.terms.granted == account.balance()[0]
    assert [line.granted for line in history.lines] == [account.balance()[0]]


def test_the_order_is_that_of_the_ledger_though_the_clock_jumped(kept):
    kinds = [type(item).__name__ for item in kept[2].in_order()]
    assert kinds == ["HistoryLine"] * len(EVERY_KIND) + ["TopUp", "HistoryLine", "HistoryLine"]


def test_every_number_stands_in_the_table_with_its_ends(kept):
    _, account, history = kept
    rows = [row for row in table(history) if row["what"] == "answer"]
    assert len(rows) == sum(len(item.labels) for item in account.releases())
    for item in account.releases():
        mine = [row for row in rows if row["request_id"] == item.request_id]
        assert [row["label"] for row in mine] == list(item.labels)
        assert {row["ledger_hash"] for row in mine} == {item.head}
        if item.is_choice:
            assert [row["value"] for row in mine] == [str(item.answer)]
            assert mine[0]["interval_lower"] == ""
            assert mine[0]["interval"].startswith("none: ")
            continue
        lower, upper = (np.atleast_1d(side) for side in item.interval(0.95, simultaneous=True))
        assert [float(row["value"]) for row in mine] == list(np.atleast_1d(item.answer))
        assert [float(row["interval_lower"]) for row in mine] == list(lower)
        assert [float(row["interval_upper"]) for row in mine] == list(upper)


def test_the_columns_of_charges_add_up_to_what_is_spent(kept):
    _, account, history = kept
    spent = account.balance()[1]
    for name, units in (("epsilon", 9), ("delta", 18), ("rho", 9)):
        total = sum((Decimal(row[f"charged_{name}"] or 0) for row in table(history)), Decimal(0))
        assert total.scaleb(units) == getattr(spent, name)


def test_what_was_not_answered_and_what_was_raised_are_marked(kept):
    ledger, _, history = kept
    rows = table(history)
    assert [row["what"] for row in rows if row["what"] != "answer"] == [
        *("account opened", "budget raised", "charged, not answered yet", "account as it stands")
    ]
    raised, waiting, standing = rows[-4], rows[-2], rows[-1]
    assert raised["budget_epsilon"] == "30"
    assert [row["reason"] for row in rows if row["reason"]] == ["'=a second wave; agreed by the board"]
    assert waiting["request_id"] == "never answered"
    assert (waiting["charged_epsilon"], waiting["value"], waiting["ledger_hash"]) == ("0.125", "", "")
    assert standing["ledger_hash"] == ledger.head
    assert {row["kind_of_account"] for row in rows} == {"real"}


def test_a_practice_account_is_marked_in_both_files():
    history = history_of(hostile_schema(), practice=True)
    assert {row["kind_of_account"] for row in table(history)} == {"PRACTICE"}
    assert json.loads(history_json(history))["account"]["kind"] == "PRACTICE"


def test_json_comes_back_as_the_same_history(kept):
    history = kept[2]
    text = history_json(history)
    again = history_from_json(text)
    assert again == history
    assert history_json(again) == text
    for before, after in zip(history.lines, again.lines, strict=True):
        assert before.release == after.release
        if before.release is not None and after.release is not None and not before.release.is_choice:
            for confidence in (0.5, 0.99):
                np.testing.assert_array_equal(before.release.interval(confidence), after.release.interval(confidence))


def test_another_program_can_recompute_answers_and_intervals(kept):
    """From the JSON alone: integers, steps and scales, and the tail of two-sided geometric noise in closed form."""
    plain = json.loads(history_json(kept[2]))
    seen = 0
    for entry in plain["entries"]:
        if len(entry["parts"]) > 1 or not entry["answered"] or "offset" not in entry["parts"][0]:
            continue
        (part,), (integers,) = entry["parts"], entry["noisy_integers"]
        numbers = entry["answer"]["numbers"]
        assert [cell["value"] for cell in numbers] == [one * part["step"] + part["offset"] for one in integers]
        if part["mechanism"]["is"] == "DiscreteLaplaceMechanism" and len(integers) == 1:
            scale = part["mechanism"]["scale"]
            reach = math.ceil(scale * math.log(2 / 0.05 / (1 + math.exp(-1 / scale))) - 1)
            (cell,) = numbers
            assert cell["upper"] - cell["value"] == pytest.approx(reach * part["step"])
            assert cell["value"] - cell["lower"] == pytest.approx(reach * part["step"])
            seen += 1
    assert seen >= 2


def test_no_file_holds_a_fingerprint_or_a_secret(kept):
    _, account, history = kept
    secrets = (account.fingerprint, account.store.secret.hex(), account.store.ledger_id)
    for text in (history_csv(history), history_json(history)):
        assert not [secret for secret in secrets if secret in text]
        assert history.head in text


def test_hostile_names_survive_and_start_no_formula():
    history = history_of(hostile_schema(), reason="=1+1")
    for delimiter in (",", ";", "\t"):
        rows = csv.reader(io.StringIO(history_csv(history), newline=""), delimiter=delimiter)
        assert not [cell for row in rows for cell in row if taken_for_a_formula(cell) and not is_number(cell)]
    labels = [row["label"].replace("'", "") for row in table(history) if "each value" in row["question"]]
    assert labels == [name.replace("'", "") for name in HOSTILE[3:]]
    assert history_from_json(history_json(history)) == history


def test_a_clock_at_the_end_of_all_years_breaks_no_file():
    """In UTC it would be the year 10000, which no calendar here has."""
    last = "9999-12-31T23:00:00-05:00"
    history = history_from_json(history_json(history_of(hostile_schema())).replace("2026-01-02T03:04:05+00:00", last))
    assert {row["time_utc"] for row in csv.DictReader(io.StringIO(history_csv(history)))} == {last, ""}
    assert "9999-12-31 23:00:00-05:00" in privacy_label(history, history.lines[0].entry.request_id)


def test_names_in_a_language_of_no_ascii_stay_readable_in_json():
    schema = hostile_schema(("é", "ß", "漢字", "ü", "ñ"))
    assert "漢字" in history_json(history_of(schema))


def test_an_account_without_a_charge_is_a_history_too(tmp_path):
    account = opened(ledger_at(tmp_path / "b.db"), people())
    history = History.of(account)
    assert [row["what"] for row in table(history)] == ["account opened", "account as it stands"]
    assert history_from_json(history_json(history)) == history


def test_earlier_editions_are_told_with_what_they_promised(tmp_path):
    ledger, first = ledger_at(tmp_path / "b.db"), people()
    before = opened(ledger, first, epsilon=2.0)
    release(asking(0.5), first, before, request_id="of the first edition")
    second = people((*ROWS, (70, "no")))
    account = opened(ledger, second, epsilon=1.0, predecessor=before)
    release(asking(0.25), second, account, request_id="of the second")
    history = History.of(account)
    (edition,) = history.earlier
    assert (edition.opened, edition.granted, edition.spent) == (before.opened, *before.balance())
    assert [line.entry.request_id for line in history.lines] == ["of the second"]
    assert "continues people, opened " in table(history)[0]["reason"]
    assert history_from_json(history_json(history)) == history
    assert "anybody in both is covered by the budgets added up" in privacy_label(history, "of the second")
    assert "covered by the sum" not in privacy_label(History.of(before), "of the first edition")


def test_a_line_is_found_by_its_request(kept):
    history = kept[2]
    assert history.line("gaussian").entry.planned_query.mechanism == "gaussian"
    with pytest.raises(InvalidParameterError, match="request_id"):
        history.line("nobody asked")


@each(
    "text",
    [
        *("", "[]", "{}", "null", "1", '{"format": "other", "version": 1}', "[" * 100_000),
        '{"format": "epsilon-explorer-history", "version": 2}',
        '{"format": "epsilon-explorer-history", "version": 1}',
    ],
)
def test_what_is_no_history_is_refused_with_a_sentence(text):
    with pytest.raises(LedgerError, match=r"^This is not a saved history, or a damaged one: .*\.$"):
        history_from_json(text)


def damaged(plain, where, value):
    """The history with one leaf exchanged; `where` are keys down to it."""
    copied = json.loads(json.dumps(plain))
    holder = copied
    for key in where[:-1]:
        holder = holder[key]
    holder[where[-1]] = value
    return json.dumps(copied)


@each(
    ("where", "value"),
    [
        (("account", "budget", "epsilon"), "NaN"),
        (("account", "budget", "epsilon"), "1e999999999"),
        (("account", "budget", "delta"), "-0.1"),
        (("account", "budget", "epsilon"), "0.0000000001"),
        (("account", "kind"), "pretend"),
        (("account", "table"), 5),
        (("account", "rule"), "advanced"),
        (("account", "neighbors"), "none"),
        (("account", "opened"), "yesterday"),
        (("entries", 0, "schema"), 7),
        (("entries", 0, "noisy_integers"), [[1, 2]]),
        (("entries", 0, "noisy_integers"), [[1.5]]),
        (("entries", 0, "noisy_integers"), [["1"]]),
        (("entries", 0, "noisy_integers"), []),
        (("entries", 0, "noisy_integers"), [[10**400]]),
        (("account", "budget", "epsilon"), "0"),
        (("entries", 0, "budget_then", "epsilon"), "0"),
        (("entries", 12, "noisy_integers"), [[-1]]),
        (("entries", 13, "noisy_integers"), [[6]]),
        (("entries", 0, "planned_query", "is"), "os.system"),
        (("entries", 0, "charged"), {}),
        (("entries", 0, "request_id"), None),
        (("schemas", 0), {"is": "Schema"}),
    ],
)
def test_a_damaged_history_is_refused_with_a_sentence(kept, where, value):
    text = damaged(json.loads(history_json(kept[2])), where, value)
    with pytest.raises(LedgerError, match="This is not a saved history, or a damaged one"):
        history_from_json(text)


EXCHANGED: tuple[object, ...] = (None, -1, 10**30, "x", [], {}, [[0]], True, 0.5)


def leaves(plain, where=()):
    items = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    found = [where] if where else []
    return found + [leaf for key, value in items for leaf in leaves(value, (*where, key))]


def test_whatever_is_exchanged_nothing_but_a_sentence_comes_of_it(kept):
    plain = json.loads(history_json(kept[2]))
    places, draw = leaves(plain), random.Random(5)
    refused = 0
    for place in draw.sample(places, 60):
        value = draw.choice(EXCHANGED)
        try:
            history_from_json(damaged(plain, place, value))
        except LedgerError:
            refused += 1
    assert 16 < refused < 60


def is_number(cell):
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False


def test_answers_of_a_file_from_before_accounts_had_names_combine_with_no_other_ones(kept):
    plain = json.loads(history_json(kept[2]))
    for entry in plain["entries"]:
        del entry["account"]
    unnamed = [history_from_json(json.dumps(change_head(plain, head))) for head in ("a" * 64, "b" * 64)]
    names = [{line.entry.account for line in history.lines} for history in (kept[2], *unnamed)]
    assert [len(one) for one in names] == [1, 1, 1]
    assert len(set.union(*names)) == 3


def change_head(plain, head):
    """The same file as though its ledger had held something else."""
    return plain | {"account": plain["account"] | {"ledger_hash": head}}
