"""What a refusal would have made of the budget, what is asked at the end, and what the attacks find."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpengine import accounting
from dpengine.data import Comparison
from dpengine.errors import InvalidParameterError
from dpengine.ledger import Account
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery
from dpengine.release import release
from dpengine.workshop import Saying, attacked, burning, checks
from dpengine.workshop.checks import QUESTIONS, CheckChoice, CheckQuestion
from dpengine.workshop.room import Ask
from tests.examples.ledgers import asking, ledger_at, opened, people
from tests.examples.tables import shared_sample
from tests.unit.workshop.test_guessing import ROOM


def ask_of(number: int, planned: PlannedQuery, account: Account, state: str) -> Ask:
    return Ask(
        id=number,
        participant=1,
        number=number,
        request_id=f"r{number}",
        planned=planned,
        amounts=account.cost(planned).amounts,
        state=state,
        sentence="",
    )


def spent(path: Path, epsilons: list[float], *, refused: float, **terms: object) -> tuple[Account, list[Ask]]:
    """Answered questions at these epsilons, and one that was refused."""
    account = opened(ledger_at(path / "b.db"), people(), **terms)  # type: ignore[arg-type]
    asked = []
    for number, epsilon in enumerate(epsilons):
        account.charge(f"r{number}", asking(epsilon))
        asked.append(ask_of(number, asking(epsilon), account, "answered"))
    return account, [*asked, ask_of(len(epsilons), asking(refused), account, "refused")]


def test_the_first_refusal_knows_what_both_rules_would_make_of_it(tmp_path: Path) -> None:
    account, asked = spent(tmp_path, [0.01] * 100, refused=0.01, epsilon=1.0, delta=1e-6)
    found = burning(account, asked, account.charges(), schema=account.schema)
    assert found.beyond is not None
    assert found.beyond.naive == 1.01
    (event,) = asking(0.01).events(account.schema, account.neighbors)
    assert found.beyond.advanced == accounting.epsilon({event: 101}, delta=1e-6, accountant="advanced")
    assert found.beyond.advanced < found.beyond.naive
    last = 100 + found.beyond.more
    assert accounting.epsilon({event: last}, delta=1e-6, accountant="advanced") <= 1.0
    assert accounting.epsilon({event: last + 1}, delta=1e-6, accountant="advanced") > 1.0
    assert (found.answered, found.left) == (100, "epsilon 0")


def test_a_question_refused_for_another_reason_is_no_refusal_of_the_budget(tmp_path: Path) -> None:
    account, asked = spent(tmp_path, [0.1], refused=0.1)
    assert burning(account, asked, account.charges(), schema=account.schema).beyond is None
    account, asked = spent(tmp_path, [], refused=2.0)
    assert burning(account, asked, account.charges(), schema=account.schema).beyond is not None


def test_under_the_other_rule_what_counts_is_what_the_sum_of_rho_is_worth(tmp_path: Path) -> None:
    account, asked = spent(tmp_path, [0.05, 0.05], refused=5.0, delta=1e-6, rule="concentrated")
    lines = burning(account, asked, account.charges(), schema=account.schema).questions
    (event,) = asking(0.05).events(account.schema, account.neighbors)
    worth = accounting.epsilon({event: 2}, delta=1e-6, accountant="concentrated")
    assert lines[1].counted == pytest.approx(worth, rel=1e-6)
    assert lines[1].counted >= worth * (1 - 1e-12)
    assert lines[1].naive == 0.1


def test_every_question_has_one_right_answer_and_a_reason_for_each() -> None:
    assert len(QUESTIONS) == 4
    assert all(choice.because.endswith(".") for question in QUESTIONS for choice in question.choices)
    assert [question.choices[question.right].right for question in QUESTIONS] == [True] * 4
    with pytest.raises(InvalidParameterError):
        CheckQuestion(text="?", choices=(CheckChoice(text="a", because="."), CheckChoice(text="b", because=".")))


def test_answers_are_counted_by_their_question_and_nonsense_is_not() -> None:
    said = [Saying(participant=who, number=0, value=value) for who, value in enumerate((1.0, 1.0, 3.0, 7.0, 0.5, -1.0))]
    assert checks.given([*said, Saying(participant=9, number=1, value=1.0)], 0) == (0, 2, 0, 1)


def test_attacks_find_what_was_released_and_judge_only_public_rows(tmp_path: Path) -> None:
    table, schema = shared_sample("patients")
    mumps = CountQuery(where=Comparison("disease", "=", "mumps"))
    account = opened(ledger_at(tmp_path / "b.db"), table)
    answers = {}
    for number, query in enumerate((mumps, mumps, CountQuery())):
        planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.1))
        answers[str(number)] = release(planned, table, account, request_id=str(number))
    found = attacked.findings(ROOM, account, answers, table)
    assert found is not None
    assert (found.answers, found.averages.counts[0].answers, found.differences.pairs) == (3, 2, 1)
    assert found.rebuilt.secret == mumps.where
    assert found.person.added_up.promise.epsilon == pytest.approx(0.3)
    hidden = attacked.findings(ROOM, account, answers, None)
    assert hidden is not None
    assert not hidden.rebuilt.of_the_table
    assert hidden.rebuilt.result.people == attacked.INVENTED
    assert hidden.averages == found.averages
    assert attacked.findings(ROOM, account, {}, table) is None
    assert schema == account.schema
