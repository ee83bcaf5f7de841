"""The pieces of the budget page: the shares, the burning budget, where each rule stops, and what families get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from dpengine.accounting import ACCOUNTANTS, MOST_REPETITIONS
from dpengine.formatting import amount, at_least, at_most, billionths, tiny, tiny_at_most
from dpengine.privacy import ConcentratedEvent, Guarantee
from dpengine.scenario import Scenario
from dpengine.spending import MOST_STEPS, Spending
from pages import session
from pages.explore.budget import share_panels
from pages.phrasing import rules, wording
from pages.plan import accounts
from pages.widgets import computed, inputs, outputs

DECIDES = (
    "**Releases are charged by the account's rule**, naive or concentrated: both hold even if you choose the next "
    "question after seeing the last answer."
)
FAMILY, LARGEST_FAMILY = 4, 20
MOST_NAMED = 6
_THEOREMS = ("advanced", "advanced_2010", "textbook", "optimal")


def shares() -> Spending:
    """The budget, how often the list is asked, and the epsilon of each question."""
    plan, account = session.scenario(), accounts.current()
    first, second, third = st.columns([1, 1, 1.2], vertical_alignment="bottom")
    whole = plan.budget if account is None else account.budget
    label = "Budget ε" if account is None else "What if the budget were ε"
    budget = inputs.number(first, label, key="budget_epsilon", start=whole.epsilon)
    kept_delta = whole.delta if account else whole.delta or 1e-6
    delta = inputs.delta_box(second, does=_what_delta_does(plan), key="budget_delta", kept=kept_delta)
    rounds = inputs.whole(third, "Times the list is asked", key="budget_rounds", start=1, most=1000)
    changed = share_panels.dials(plan)
    new_budget = Guarantee(epsilon=budget, delta=delta)
    _keep_button(changed, new_budget, unkept=_unkept(plan, changed, new_budget, whole))
    return Spending(
        scenario=accounts.as_charged(changed), rounds=rounds, budget=new_budget, earlier=accounts.earlier_steps()
    )


def _what_delta_does(plan: Scenario) -> str:
    if plan.rule != "basic":
        return "Changes what the account's rule (concentrated) holds."
    if any(planned.noise.needs_delta for planned in plan.queries):
        return "Pays for Gaussian noise; beyond that it changes the rules other than naive."
    return "Changes the rules other than naive; the account's own rule (naive) uses none."


def _unkept(plan: Scenario, changed: Scenario, budget: Guarantee, whole: Guarantee) -> str:
    """What the plan still says where the boxes say something else; an account's own budget needs no keeping."""
    if budget not in {plan.budget, whole}:
        return f"Not kept yet: the plan still says {wording.guarantee(plan.budget)}"
    return "Not kept yet: the plan still has other shares" if changed.queries != plan.queries else ""


def _keep_button(changed: Scenario, budget: Guarantee, *, unkept: str) -> None:
    button, words = st.columns([1.2, 2], vertical_alignment="center")
    kind: Literal["primary", "secondary"] = "primary" if unkept else "secondary"
    if button.button("Keep budget and shares in the plan", key="budget_keep", type=kind, width="stretch"):
        session.keep_budget(changed, budget)
        st.rerun()
    plan = session.scenario()
    origin = session.budget_came_from(plan) if accounts.current() is None else ""
    came = f":gray[The budget of {wording.guarantee(plan.budget)} {origin}. To keep it is to set it.]" if origin else ""
    if unkept or came:
        words.markdown("  \n".join(filter(None, (f"**{unkept}**" if unkept else "", came))))


def finding(spending: Spending) -> None:
    """Which questions fit by the account's rule, where the live picture does not say it."""
    outputs.finding(title(spending), before(spending))


def title(spending: Spending) -> str:
    """Which questions of the list fit by the account's rule, and where other rules would stop."""
    said = _rho_title(spending) if spending.scenario.rule == "concentrated" else _epsilon_title(spending)
    account = accounts.current()
    if account is None or account.budget == spending.budget:
        return said
    return f"With a budget of {wording.guarantee(spending.budget)}, {said[0].lower()}{said[1:]}"


def _epsilon_title(spending: Spending) -> str:
    asked, refused = len(spending.planned), {name: spending.first_refused(name) for name in ("basic", "advanced")}
    basic, advanced, left = refused["basic"], refused["advanced"], spending.left_before.under("basic")
    if basic is None:
        return f"{_fit(asked)} {_costs(spending.asked.under('basic'))} of {_left(spending)}"
    if spending.lacking("basic") == "delta" and isinstance(left, Guarantee):
        return f"The δ of {tiny(left.delta)} is not enough: {_place(basic, spending)} does not fit"
    stops = f"Naive stops at {_place(basic, spending)}"
    if advanced is None:
        return f"{stops}, advanced lets all {asked} through"
    if advanced > basic:
        return f"{stops}, advanced at question {advanced:,}"
    return f"{_too_little(spending)}: {_place(basic, spending)} does not fit"


def _rho_title(spending: Spending) -> str:
    refused = spending.first_refused("concentrated")
    if refused is None:
        return f"{_fit(len(spending.planned))} {_costs(spending.asked.under('concentrated'))} of {_left(spending)}"
    return f"{_too_little(spending)}: {_place(refused, spending)} does not fit"


def _fit(asked: int) -> str:
    return "The question fits: it would spend" if asked == 1 else f"All {asked} questions fit: they would spend"


def _place(question: int, spending: Spending) -> str:
    """A question's number in the plan, and that on the picture where other questions came before."""
    number = spending.number_drawn(question)
    drawn = f" (number {number:,} on the picture)" if spending.earlier else ""
    return f"question {question:,} of this plan{drawn}"


def _left(spending: Spending) -> str:
    left = _stays(spending.left_before.under(spending.scenario.rule))
    return f"the {left} that is left" if spending.earlier else left


def _too_little(spending: Spending) -> str:
    """That what is left holds no whole list, or that nothing is."""
    rule = spending.scenario.rule
    left, whole = _stays(spending.left_before.under(rule)), _stays(spending.granted.under(rule))
    if not spending.earlier:
        return f"The budget of {whole} is not enough"
    return (
        f"Nothing is left of the budget of {whole}"
        if left in ("ε 0", "ρ 0")
        else f"The {left} that is left is not enough"
    )


def _costs(value: Guarantee | ConcentratedEvent) -> str:
    """What a rule counts first: epsilon to the billionth, rho rounded up."""
    return f"ε {billionths(value.epsilon)}" if isinstance(value, Guarantee) else f"ρ {at_most(value.rho, 4)}"


def _stays(value: Guarantee | ConcentratedEvent) -> str:
    """The same for what is left or granted: rho rounded down."""
    return f"ε {billionths(value.epsilon)}" if isinstance(value, Guarantee) else f"ρ {at_least(value.rho, 4)}"


def before(spending: Spending) -> str:
    """What was charged to the account before this plan."""
    count, rule = len(spending.earlier), spending.scenario.rule
    if not count:
        return ""
    answers = "1 answer" if count == 1 else f"{count:,} answers"
    spent, whole = _costs(spending.before.under(rule)), _stays(spending.granted.under(rule))
    return f"Charged already: {answers}, {spent} of {whole}; every line begins with that. "


def shown_rules(spending: Spending, *, every: bool) -> tuple[str, ...]:
    """The rule that decides, whatever is chosen, and the others on the screen that can say anything about this list.

    Naive, advanced and exact, unless `every` other one may be chosen, too.
    """
    offered, decides = [name for name in ACCOUNTANTS if spending.understands(name)], spending.scenario.rule
    if every:
        chosen = rules.chosen(offered, key="budget_rules", few=(*rules.FEW, decides))
    else:
        chosen = tuple(name for name in rules.FIRST if name in offered)
    return (decides, *(name for name in chosen if name != decides))


def where_each_stops(spending: Spending, shown: Sequence[str]) -> None:
    """For each rule on the screen: the first question that does not fit, or how many more would; and where δ goes."""
    delta = f" δ {tiny(spending.budget.delta)} is used for |" if spending.budget.delta else ""
    line = f"|---|---|---|{'---|' if delta else ''}"
    head = f"| rule | this plan | room for further questions like the last |{delta}\n{line}\n"
    st.markdown(head + "\n".join(_stop(spending, name) for name in shown))
    _what_could_go(spending)


def _stop(spending: Spending, name: str) -> str:
    label = _label(spending, name)
    delta = f" {_delta_words(spending, name)} |" if spending.budget.delta else ""
    refused = spending.first_refused(name)
    if refused is not None:
        why = ": δ is not enough" if spending.lacking(name) == "delta" else ""
        return f"| {label} | question **{refused:,}** is the first that does not fit{why} | none |{delta}"
    more = spending.room_for_more(name)
    count = f"{more:,}" if more < MOST_REPETITIONS else f"at least {MOST_REPETITIONS:,}"
    before = " with earlier answers" if spending.earlier else ""
    return f"| {label} | all fit: {_spent(spending, name)}{before} | **{count}** |{delta}"


def _spent(spending: Spending, name: str) -> str:
    """Everything together in what the rule counts; of the concentrated one epsilon is a conversion."""
    epsilon = f"ε {at_most(float(spending.spent(name)[-1]))}"
    if name != "concentrated":
        return epsilon
    return f"{_costs(spending.counted[name].totals[-1].under(name))} (converted: {epsilon})"


def _label(spending: Spending, name: str) -> str:
    label = rules.RULES[name].label
    if name == spending.scenario.rule:
        return f"**{label}** (the account's rule)"
    return label if ACCOUNTANTS[name].sound else f"{label} (for comparison)"


def _delta_words(spending: Spending, name: str) -> str:
    use = spending.delta_use(name)
    if name == "basic":
        return f"the noise of the questions: {tiny_at_most(use.questions)}" if use.questions else "nothing here"
    if use.questions:
        return f"noise {tiny(use.questions)}, the theorem (δ′) {tiny(use.theorem)}"
    if name == "concentrated":
        return "converting ρ into ε, once"
    return "the theorem (δ′)" if name in _THEOREMS else "rare large losses, once for all questions"


def _what_could_go(spending: Spending) -> None:
    """Fewer questions, where they do not all fit by the account's rule."""
    rule, asked = spending.scenario.rule, len(spending.scenario.queries)
    out = spending.left_out(rule)
    if out and len(out) < asked:
        total = billionths(spending.largest_total)
        scaled = rule == "basic" and spending.lacking(rule) == "epsilon" and spending.largest_total > 0
        less = f", and all fit if the whole list costs ε {total} or less" if scaled else ""
        rest = "rest fits" if asked - len(out) == 1 else "others fit"
        st.markdown(f"**Without {_named(out, asked)} the {rest}**{less} (by the account's rule).")


def _named(out: Sequence[int], asked: int) -> str:
    if len(out) > MOST_NAMED:
        return f"{len(out)} of the {asked} questions (those that cost most, then the last)"
    return f"question{'s' if len(out) > 1 else ''} {wording.listed([str(place + 1) for place in out])}"


def where_advanced_wins(spending: Spending) -> None:
    """From which question on each advanced form is below naive, and what is known of the textbook form."""
    if not spending.budget.delta:
        st.markdown("Without a delta, advanced cannot be used: only naive counts. " + DECIDES)
        return
    sound, textbook = spending.first_below("advanced"), spending.first_below("textbook")
    drawn = spending.worth_drawing()
    verdict = spending.textbook_validity[drawn - 1].sentence
    cut = f" Only the first {MOST_STEPS:,} questions are followed." if len(spending.planned) == MOST_STEPS else ""
    st.markdown(
        f"- **Advanced**: {_from(sound)}.\n"
        f"- **Textbook formula**: {_from(textbook)}; where all noisy "
        f"answers cost the same, from {amount(spending.textbook_threshold)} answers on (a mean is two). "
        f"At question {drawn - len(spending.earlier):,}: {verdict} "
        f"For comparison only: your budget does not use it.\n- {DECIDES}{cut}"
    )
    computed.how(rules.COMPUTED, key="budget_computed")


def _from(first: int | None) -> str:
    return "not below naive in this list" if first is None else f"below naive from question {first:,} on"


def families(spending: Spending) -> None:
    """What people who stand or fall together are promised by the whole list."""
    with st.container(border=True, key="card_family"):
        left, right = st.columns([1, 2.2], gap="medium", vertical_alignment="center")
        session.widget_starts_at("budget_family", FAMILY)
        size = int(left.slider("Family size", 1, LARGEST_FAMILY, key="budget_family", persist_state="session"))
        together, exact = spending.let_out_to_group(size), spending.for_group(size, accountant="exact")
        delta = f", δ {tiny_at_most(together.delta)}" if together.delta else ""
        at = f"at δ {tiny(spending.budget.delta)}" if delta else "at the same δ"
        smaller = exact < together.epsilon and (delta or at_most(exact) != at_most(together.epsilon))
        tighter = f", or ε {at_most(exact)} by the exact rule {at}" if smaller else ""
        right.markdown(
            f"**Epsilon is a promise to one person: {_to_one(spending)}.** A family of {size}, all in the table "
            f"or all out of it, is promised ε {at_most(together.epsilon)}{delta} by the naive rule{tighter} "
            "(group privacy)."
        )


def _to_one(spending: Spending) -> str:
    """What one person is promised: by the list, or by the budget where that ends first."""
    asked, out = spending.promised_to_group(1), spending.let_out_to_group(1)
    whole, most = (f"ε {at_most(one.epsilon)}" for one in (asked, out))
    if spending.first_refused(spending.scenario.rule) is None:
        less = "" if out.epsilon == asked.epsilon else f" by the concentrated rule ({whole} by the naive one)"
        return f"{most} once all is answered{less}"
    if out.epsilon == asked.epsilon:
        return f"less than {whole}, because not all of this list is answered"
    return f"at most {most}, because questions stop when the budget is spent (the whole list would be {whole})"
