"""The presenter's path: what is opened at each stop, the sentence to be read aloud, and which button to press."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dpengine.errors import InvalidParameterError
from dpengine.scenario import Scenario
from pages import session
from pages.plan import accounts

MOST_SAID = 25
RELEASE = "pages/explore/release/page.py"
_OPEN = "Press “Open the account”, then “Release this answer”."
_DIAL_AT_FIRST = ("kept_confidence", "kept_prior", session.of_100_key("confidence"), session.of_100_key("prior"))


def _as_it_is(plan: Scenario) -> Scenario:
    return plan


def _nothing() -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenterStop:
    """One stop: a page, one sentence of at most 25 words to be read aloud, and what the presenter presses there.

    `settings` are what the session holds when the page opens; None is as nobody has touched it. `plan` changes the
    practice plan.
    """

    name: str
    page: str
    say: str
    settings: Mapping[str, object] = field(default_factory=dict)
    plan: Callable[[Scenario], Scenario] = _as_it_is
    press: Callable[[], str] = _nothing
    live: bool = False

    def __post_init__(self) -> None:
        if len(self.say.split()) > MOST_SAID:
            raise InvalidParameterError("say", self.say, f"at most {MOST_SAID} words")

    def lines(self, *, built_in: bool) -> tuple[str, str, str]:
        """What is read aloud, and what to press; the presenter's table is always a built-in one."""
        del built_in
        return f"“{self.say}”", "", self.press()

    def watch(self) -> object:
        """A presenter has nothing to try."""
        return None


def _release() -> str:
    """Which button to press for one answer, by what the practice account holds."""
    account, plan = accounts.current(), session.scenario()
    if account is None:
        return _OPEN
    planned = plan.queries[session.question_index()]
    if not account.fits(planned, plan.schema):
        return "Too little is left: press “Start this practice account over”, below."
    if accounts.times_answered(planned, account):
        return "Here it is. Reading it again is free; “Ask again” is charged."
    return "Press “Release this answer”."


def _refusal() -> str:
    """Where the refusal is seen; without an account there is nothing yet that could be too little."""
    if accounts.current() is None:
        return "Press “Open the account”: the question does not fit."
    return "“Release this answer” is off, and the title says why."


def _beyond_the_budget(plan: Scenario) -> Scenario:
    """One question at twice the epsilon of the whole budget, which is more than any account of it has left."""
    account = accounts.current()
    budget = plan.budget if account is None else account.budget
    return plan.with_query_at(REFUSED, plan.queries[REFUSED].at(2 * budget.epsilon))


REFUSED = 1
STOPS = (
    PresenterStop(
        name="Reconstruction",
        page="pages/attack/reconstruction/page.py",
        say="Only counts of large groups were published, each off by at most two. From them a program recovers 128 of "
        "128 yes/no secrets.",
        settings={
            "reconstruction_step": 1,
            **dict.fromkeys(f"reconstruction_{name}" for name in ("method", "people", "each", "error")),
            **dict.fromkeys(
                f"kept_reconstruction_{name}" for name in ("people_held", "each_held", "error_held", "day")
            ),
        },
    ),
    PresenterStop(
        name="Homogeneity",
        page="pages/attack/homogeneity/page.py",
        say="Nobody can tell which of these twelve rows is whose. And still the disease of four people is certain: "
        "everybody in their group has it.",
        settings={"homogeneity_step": 1, "homogeneity_table": None, "homogeneity_k_6": None, "homogeneity_l_3": None},
    ),
    PresenterStop(
        name="The promise and its limit",
        page="pages/learn/definition/page.py",
        say="The study tells an insurer about Ben, who took no part. What is promised: with your record or without, it "
        "finds nearly the same.",
        settings={"definition_step": 3, "definition_runners": None},
    ),
    PresenterStop(
        name="The dial",
        page="pages/explore/tradeoff/page.py",
        say="One dial moves error, risk and price together. To the right, readers get sharper answers; to the left, "
        "people are better protected.",
        settings=dict.fromkeys(_DIAL_AT_FIRST),
    ),
    PresenterStop(
        name="One release",
        page=RELEASE,
        say="One press lets one noisy answer out and charges the budget once. The answer stays; reading it again costs "
        "nothing.",
        press=_release,
    ),
    PresenterStop(
        name="One refusal",
        page=RELEASE,
        say="This question costs more than the budget has left. It is refused: no answer leaves the table, and nothing "
        "is charged.",
        plan=_beyond_the_budget,
        settings={"question": REFUSED},
        press=_refusal,
    ),
)
