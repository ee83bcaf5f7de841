"""The fixed text of the script and the notebook that rebuild a plan: code without a single name that somebody chose."""

from __future__ import annotations

from dpengine.mechanisms.released import NOISES, SELECTIONS

ABOUT = """\
A plan for private answers, rebuilt twice: with dpengine, and with nothing but opendp.

It reads no row and releases nothing. It prints how large the noise of every answer would be, and stops with an error
where the two do not agree. Run it in the folder of Epsilon Explorer, or with that folder on PYTHONPATH:

    python plan.py
    python plan.py people.csv      also says how answers about this table would be released

Written by {software} on {day}. Needs opendp 0.16 and, for the half that uses it, dpengine."""
IMPORTS = """\
import math
{standard}from typing import NamedTuple

import opendp.prelude as dp

{plan_imports}

dp.enable_features("contrib")"""
FOR_A_SCRIPT = "import sys\n"
USED = {
    "epsilon": "dpengine.accounting",
    "Guess": "dpengine.accuracy",
    **dict.fromkeys(("Asked", "Targets", "Wish", "cheapest_plan"), "dpengine.feasible"),
}
USED_BY_A_SCRIPT = {
    "read_table": "dpengine.data",
    "DPEngineError": "dpengine.errors",
    "Ledger": "dpengine.ledger",
    "url_in_use": "dpengine.ledger",
}
RECIPE = '''\
class Part(NamedTuple):
    """The noise of one part of one answer; sensitivity and scale are counted in steps."""

    question: int
    part: str
    noise: str
    sensitivity: float
    step: float
    epsilon: float
    rho: float
    scale: float
    delta: float = 0.0
    unit: str = ""
    monotone: bool = False'''
BY_DPENGINE = '''\
def by_dpengine(plan):
    """For each part: the scale of its noise in grid steps, and the epsilon that one run costs, by exact accounting."""
    for planned in plan.queries:
        mechanisms = planned.mechanisms(plan.schema, plan.neighbors)
        deltas = planned.delta_shares(plan.schema, plan.neighbors)
        for mechanism, delta in zip(mechanisms, deltas):
            cost = epsilon({mechanism.event: 1}, delta=float(delta), accountant="exact")
            yield scale_of(mechanism), cost


def scale_of(mechanism):
    """What a choice adds to its scores follows from its epsilon; all other noise knows its scale."""
    if hasattr(mechanism, "scale"):
        return float(mechanism.scale)
    return (1 if mechanism.monotone else 2) * mechanism.score_sensitivity / mechanism.epsilon'''
_BY_OPENDP = '''\
NUMBERS = dp.vector_domain(dp.atom_domain(T="i64"))


def measurement(part, scale):
    """The noise of a part on whole grid steps, by opendp alone; opendp draws it exactly."""
DRAWN
    measure = dp.zero_concentrated_divergence() if part.noise == "exponential" else dp.max_divergence()
    scores = dp.linf_distance(T="i64", monotonic=part.monotone)
    return dp.m.make_noisy_max(NUMBERS, scores, measure, scale=scale)


def by_opendp(part):
    """The least scale that opendp finds for what the part may cost, and the epsilon of that noise by opendp's own map.

    opendp measures Gaussian noise and the exponential mechanism by rho (concentrated privacy).
    """
    may_cost = part.rho if part.noise in MEASURED_IN_RHO else part.epsilon
    scale = dp.binary_search_param(
        lambda size: measurement(part, size), d_in=part.sensitivity, d_out=may_cost, bounds=(0.0, 2.0**62)
    )
    found = measurement(part, scale)
    if part.delta:
        return scale, dp.c.make_zCDP_to_approxDP(found).map(part.sensitivity).epsilon(part.delta)
    cost = found.map(part.sensitivity)
    return scale, math.sqrt(8 * cost) if part.noise == "exponential" else cost'''
_DRAWN = {
    "laplace": """    if part.noise == "{name}":
        return dp.m.make_laplace(NUMBERS, dp.l1_distance(T="i64"), scale=scale)""",
    "gaussian": """    if part.noise == "{name}":
        return dp.m.make_gaussian(NUMBERS, dp.l2_distance(T="f64"), scale=scale)""",
}
CHECK = '''\
def require(holds, sentence):
    """Stop where two numbers that should agree do not."""
    if not holds:
        raise AssertionError(sentence)


def same(first, second):
    return math.isclose(first, second, rel_tol=1e-9)


def compare(part, dpengine_scale, dpengine_epsilon):
    """Print both answers about one part, and stop where they differ."""
    opendp_scale, opendp_epsilon = by_opendp(part)
    steps = "rank steps" if part.noise in ("exponential", "noisy max") else "grid steps"
    moved = f"one person can change it by at most {part.sensitivity} {steps} of {part.step!r}"
    print(f"  {part.part}: {part.noise}; {moved}")
    print(f"    scale in {steps}: dpengine {dpengine_scale!r}, opendp {opendp_scale!r}")
    print(f"    scale in units: {dpengine_scale * part.step!r} {part.unit}".rstrip())
    at = f" at delta {part.delta!r}" if part.delta else ""
    print(f"    epsilon{at}: dpengine {dpengine_epsilon!r}, opendp {opendp_epsilon!r}")
    require(same(dpengine_scale, part.scale), f"dpengine here plans scale {dpengine_scale}, the plan had {part.scale}.")
    require(same(opendp_scale, part.scale), f"opendp finds scale {opendp_scale}, the plan had {part.scale}.")
    require(dpengine_epsilon <= part.epsilon * (1 + 1e-9), f"dpengine counts {dpengine_epsilon}, not {part.epsilon}.")
    if part.delta:
        require(opendp_epsilon >= dpengine_epsilon * (1 - 1e-9), "opendp's epsilon is below dpengine's exact one.")
    else:
        require(same(opendp_epsilon, part.epsilon), f"opendp counts epsilon {opendp_epsilon}, not {part.epsilon}.")


def compare_all():
    """Every part of every question, then what they add up to."""
    known = list(by_dpengine(PLAN))
    require(len(known) == len(PARTS), f"dpengine here plans {len(known)} noisy parts, the plan had {len(PARTS)}.")
    last = 0
    for part, (scale, cost) in zip(PARTS, known):
        if part.question != last:
            last = part.question
            print(f"question {last}: {PLAN.queries[last - 1].query.in_words(repr)}?")
        compare(part, scale, cost)
    total = math.fsum(part.epsilon for part in PARTS)
    print(f"All questions together: epsilon {total:.9g} of {PLAN.budget.epsilon!r} (naive: epsilons added up).")
    print("dpengine and opendp agree on every scale.")'''
ACCEPT = """\
In place of None, the error that you accept: half of the answer's 95% interval, in its unit. None keeps the share that
is planned. The guess says how many rows there are, and for a mean which answer you expect: Guess(records=1000,
answer=50)."""
LEAST = '''\
def least_budget(plan, accepted):
    """The plan that keeps each accepted error for the least budget, priced as an account would charge it."""
    wishes = [
        Wish(
            asked=Asked(planned=planned, schema=plan.schema, neighbors=plan.neighbors, guess=guess),
            targets=Targets(error=error),
        )
        for planned, (error, guess) in zip(plan.queries, accepted)
    ]
    return cheapest_plan(wishes, rule=plan.rule, delta=plan.budget.delta)


def tell_least_budget():
    if any(error is not None for error, _ in ACCEPTED):
        found = least_budget(PLAN, ACCEPTED)
        print("The least budget that keeps these errors:", found.amounts.in_words(found.rule))
        for planned in found.queries:
            print(f"  epsilon {planned.guarantee.epsilon:g}, {planned.noise.label}: {planned.query.in_words(repr)}")'''
GAUSSIAN_NOTE = (
    "Gaussian noise: dpengine uses the exact distribution of the discrete noise, opendp converts its rho to an epsilon "
    "at the same delta. A conversion is never below the exact epsilon, so that of opendp may be the larger one."
)
WRITTEN = "# How the file is written, as it was read for this plan: arguments of read_table."
WRITTEN_UNKNOWN = """\
# How the file is written is not known here, because the plan came without its table: fill it in, such as
# {"delimiter": ";", "decimal": ",", "thousands": ".", "dates": "day first"}. The arguments are those of read_table."""
ASKED = "# The columns that the answers depend on."
MAY_BE_MISSING = """\
# Those of them whose cells that do not fit their declaration may count as missing.
MAY_BE_MISSING = ()"""
RELEASING = '''\
def lost_columns(table):
    """The columns that the answers depend on and of which cells do not fit what is declared, or all are missing."""
    report = table.intake_report
    return [
        column.name
        for column in report.columns
        if column.name in ASKED and column.name not in MAY_BE_MISSING
        if column.misfits or column.missing == report.rows_read
    ]


def require_read(table):
    """Stop before anything is spent where a column that the answers depend on was not read as it is declared."""
    lost = ", ".join(repr(name) for name in lost_columns(table))
    if lost:
        sys.exit(
            f"Nothing is released: cells of {lost} do not fit what is declared, and would count as missing. Say in "
            "WRITTEN how the file is written, or name in MAY_BE_MISSING the columns in which that may be."
        )


def account_of(table):
    """The account that counts what was released of the table, in the ledger that a dashboard here would use.

    With it the accounts of other tables of people, which may be of the same ones.
    """
    ledger = Ledger.found(url_in_use())
    if ledger is None:
        return None, []
    account = ledger.account_of(table)
    return account, [] if account else [other for other in ledger.accounts() if not other.practice]


def how_to_release(path):
    """Check that the table fits its declarations, name its account, and print lines that would release; none leaves."""
    try:
        table = read_table(path, schema=PLAN.schema, **WRITTEN)
        require_read(table)
        account, others = account_of(table)
        table.close()
    except (DPEngineError, OSError) as error:
        sys.exit(f"This table cannot be used: {error}")
    print()
    print("The table fits its declarations.")
    if account is None:
        terms = "table, PLAN.schema, neighbors=PLAN.neighbors, budget=PLAN.budget, rule=PLAN.rule"
        opened = f"open_account({terms}, beside=[])"
        print("NO ACCOUNT counts what was released of it in the ledger here (EPSILON_EXPLORER_LEDGER, else budget.db).")
        print(f"The lines below open a new one with the whole budget, {PLAN.budget}. Was this table asked before? Then")
        print("its ledger is another one: name that in EPSILON_EXPLORER_LEDGER first, or all that was spent is lost.")
        for other in others:
            print(f"IS IT {other.table_name!r} IN ANOTHER FORM, or is somebody in both? It has an account here;")
            print(f"no other is opened until you know, and write ledger.account({other.id}) into the list `beside`.")
    else:
        opened = f"account({account.id})"
        print(f"Its account is number {account.id} of this ledger: {account.remaining} is left of {account.budget}.")
    print("Releasing costs budget and cannot be taken back; these lines would do it:")
    print(f"""
import runpy

from dpengine.data import read_table
from dpengine.ledger import Ledger
from dpengine.release import release

kept = runpy.run_path({__file__!r})
PLAN, WRITTEN, require_read = kept["PLAN"], kept["WRITTEN"], kept["require_read"]

table = read_table({path!r}, schema=PLAN.schema, **WRITTEN)
require_read(table)
ledger = Ledger.open()
account = ledger.{opened}
for number, planned in enumerate(PLAN.queries, start=1):
    answer = release(planned, table, account, request_id=f"question-{{number}}")
    print(answer.answer, answer.charge)
""")'''
MAIN = """\
if __name__ == "__main__":
    compare_all()
    tell_least_budget()
    if len(sys.argv) > 1:
        how_to_release(sys.argv[1])"""


def by_opendp() -> str:
    """Every noise and every choice, as opendp draws it."""
    drawn = "\n".join(_DRAWN[kind.drawn].format(name=kind.name) for kind in NOISES.values())
    names = [kind.name for kind in NOISES.values() if kind.measured_in == "rho"]
    names += [kind.name for kind in SELECTIONS.values() if kind.measured_in == "rho"]
    in_rho = ", ".join(f'"{name}"' for name in names)
    return _BY_OPENDP.replace("DRAWN", drawn).replace("MEASURED_IN_RHO", f"({in_rho})")
