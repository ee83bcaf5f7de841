"""Every attack as an example for the contract of attacks: the same small run at any epsilon, or without protection."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dpengine.attacks import (
    AnonymityTarget,
    AveragingRules,
    Crowd,
    DifferencingRules,
    GuessingRules,
    Outcome,
    RowsAtHand,
    TwoValues,
    anonymized,
    averaged,
    best_attacker_plays,
    differenced,
    guessed,
    hierarchies,
    hospital_table,
    linked,
    realistic_attacker_plays,
    told_apart,
    voter_list,
)
from dpengine.attacks.reconstruction import BoundedError, GroupCounts, noise_for_budget, repeated
from dpengine.data import AsItIs, sample_schema
from dpengine.privacy import Guarantee


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What an attack achieved, and enough of what it saw to tell two runs apart."""

    outcome: Outcome
    seen: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An attack: `run(epsilon, seed)` against what keeps that epsilon in all, against nothing where it is None.

    `tiny` is an epsilon at which it must not beat chance.
    """

    page: str
    run: Callable[[float | None, int], Ran]
    tiny: float = 0.01


def _guarantee(epsilon: float | None, delta: float = 0.0) -> Guarantee | None:
    return None if epsilon is None else Guarantee(epsilon=epsilon, delta=delta)


def _guessing(noise: str, answers: int = 1) -> Callable[[float | None, int], Ran]:
    delta = 1e-6 if noise == "gaussian" else 0.0

    def run(epsilon: float | None, seed: int) -> Ran:
        share = None if epsilon is None else epsilon / answers
        rules = GuessingRules(without=120, guarantee=_guarantee(share, delta), noise=noise, answers=answers)
        game = best_attacker_plays(rules, rounds=2000, seed=seed)
        return Ran(outcome=game.outcome, seen=game.answers.tolist())

    return run


def _realistic(epsilon: float | None, seed: int) -> Ran:
    rules = GuessingRules(without=120, guarantee=_guarantee(epsilon))
    game = realistic_attacker_plays(rules, Crowd(people=20, rate=0.1), rounds=2000, seed=seed)
    return Ran(outcome=game.outcome, seen=game.answers.tolist())


def _linkage(epsilon: float | None, seed: int) -> Ran:
    """Rows where nothing protects, counts where epsilon does."""
    if epsilon is None:
        columns = [AsItIs(column=name) for name in ("zip", "date_of_birth", "sex")]
        records = hospital_table().sample(500, random_state=seed)
        places = {int(patient): place for place, patient in enumerate(records.index.tolist())}
        listed = voter_list()
        names = listed.assign(patient=[places.get(int(patient), -1) for patient in listed["patient"].tolist()])
        join = linked(records, names, columns)
        return Ran(outcome=join.outcome, seen=join.named.tolist())
    outcome = told_apart(TwoValues(epsilon=epsilon), trials=2000, seed=seed)
    return Ran(outcome=outcome, seen=outcome.successes)


def _homogeneity(epsilon: float | None, seed: int) -> Ran:
    """Rows in groups of two or more where nothing protects, counts where epsilon does."""
    if epsilon is not None:
        return _told_apart(epsilon, seed)
    rows = RowsAtHand(frame=hospital_table().sample(600, random_state=seed))
    wanted = AnonymityTarget(people=2, left_out=0.3)
    columns = hierarchies(sample_schema("patients"), ("zip", "age"))
    found = anonymized(rows.crowds, columns, wanted=wanted, sensitive="disease")
    return Ran(outcome=guessed(rows, found, "disease"), seen=rows.frame.index.tolist())


def _told_apart(epsilon: float | None, seed: int) -> Ran:
    outcome = told_apart(TwoValues(epsilon=epsilon), trials=2000, seed=seed)
    return Ran(outcome=outcome, seen=outcome.successes)


def _reconstruction(decoder: str) -> Callable[[float | None, int], Ran]:
    def run(epsilon: float | None, seed: int) -> Ran:
        guarantee, questions = _guarantee(epsilon), 96
        noise = BoundedError(most=0) if guarantee is None else noise_for_budget(guarantee, questions=questions)
        runs = repeated(GroupCounts(people=24, questions=questions, noise=noise), runs=60, seed=seed, decoder=decoder)
        return Ran(outcome=runs.outcome, seen=runs.fractions.tolist())

    return run


def _differencing(epsilon: float | None, seed: int) -> Ran:
    """Two answers share the epsilon."""
    rules = DifferencingRules(epsilon=None if epsilon is None else epsilon / 2.0)
    found = differenced(rules, trials=2000, seed=seed)
    return Ran(outcome=found.outcome, seen=(found.secrets.tolist(), found.differences.tolist()))


def _averaging(answers: int) -> Callable[[float | None, int], Ran]:
    def run(epsilon: float | None, seed: int) -> Ran:
        rules = AveragingRules(answers=answers, epsilon=None if epsilon is None else epsilon / answers)
        found = averaged(rules, trials=2000, seed=seed)
        return Ran(outcome=found.outcome, seen=found.averages.tolist())

    return run


EXAMPLES: Mapping[str, Example] = {
    "differencing": Example(page="differencing", run=_differencing),
    "averaging, one answer": Example(page="averaging", run=_averaging(1)),
    "averaging, fifty answers": Example(page="averaging", run=_averaging(50)),
    "linkage, rows or counts": Example(page="linkage", run=_linkage),
    "homogeneity, rows or counts": Example(page="homogeneity", run=_homogeneity),
    "linkage, one cell or another": Example(page="linkage", run=_told_apart),
    "reconstruction by linear program": Example(page="reconstruction", run=_reconstruction("linear program")),
    "reconstruction by least squares": Example(page="reconstruction", run=_reconstruction("least squares")),
    "guessing, Laplace": Example(page="guessing", run=_guessing("laplace")),
    "guessing, Gaussian": Example(page="guessing", run=_guessing("gaussian")),
    "guessing, four answers": Example(page="guessing", run=_guessing("laplace", answers=4)),
    "guessing in a crowd": Example(page="guessing", run=_realistic),
}
