"""After a release: its price explained, what is free, all answers to a question together, and what one more brings."""

from __future__ import annotations

import re
from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from dpengine.data import Comparison
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountPeopleQuery, ModeQuery
from tests.ui.reading import texts

OpenPage = Callable[[str], AppTest]
BOX = "again_epsilon_0"
AGAIN = "Ask again, and pay again"


def press(page: AppTest, label: str) -> AppTest:
    """Click the button with this label."""
    return next(button for button in page.button if button.label == label).click().run()


def asked(page: AppTest, query: object, *, epsilon: float = 0.1) -> AppTest:
    """The page whose first question is another one."""
    plan = page.session_state["scenario"]
    planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon))  # type: ignore[arg-type]
    page.session_state["scenario"] = plan.with_query_at(0, planned)
    return page.run()


def test_an_answer_says_why_it_cost_that_what_is_left_and_the_other_rule(opened: AppTest) -> None:
    press(opened, "Release this answer")
    shown = texts(opened)
    assert "Charged: **ε 0.1**. **ε 2.9** is left now; reading this answer again is free." in shown
    assert "one person can change the count by at most 1." in shown
    assert "many small questions: it would have charged ρ 0.005." in shown


def test_a_mean_is_itemized(opened: AppTest) -> None:
    opened.selectbox(key="release_question").set_value(1).run()
    press(opened, "Release this answer")
    shown = texts(opened).replace("\\", "").replace("\u200b", "")
    assert "Takes two noisy answers: a centered sum (60% of ε: 0.06) and a count (40% of ε: 0.04). Each person" in shown


def test_two_answers_stand_together_with_what_once_would_have_cost(opened: AppTest) -> None:
    press(opened, "Release this answer")
    assert "You asked this" not in texts(opened)
    assert "No narrower than now" not in texts(opened)
    press(opened, AGAIN)
    assert "no narrower than that of the most exact" not in texts(opened)
    assert "## You asked this 2 times: together 1" in texts(opened)
    assert "± 20.5 people" in texts(opened)
    once = "Asking once at **ε\u00a00.1461** would have been at least as exact (±20 people)."
    assert f"Charged in total: **ε 0.2**. {once}" in texts(opened)
    assert "It is right if you had decided beforehand how often to ask." in texts(opened)
    assert "Then take only the newest answer with its own interval" in texts(opened)
    assert "about neither state" not in texts(opened), "Its rows are here."
    buttons = {button.key: getattr(button, "label", "") for button in opened.get("download_button")}
    assert buttons["label_of_together"] == "Privacy label of the answers together"


def test_asking_once_says_where_no_smaller_epsilon_is_tried(opened: AppTest) -> None:
    asked(opened, CountPeopleQuery(), epsilon=1e-5)
    press(opened, "Release this answer")
    press(opened, AGAIN)
    once = "Asking once at **ε\u00a00.0001** would have been at least as exact (±30,000 people); no smaller"
    assert f"Charged in total: **ε 0.00002**. {once} ε is tried." in texts(opened)


def test_one_more_answer_is_foreseen_and_charged_as_typed(opened: AppTest) -> None:
    press(opened, "Release this answer")
    assert "Together with the answer so far: **±20.5 people** in 95% of releases, for **ε 0.2**" in texts(opened)
    opened.number_input(key=BOX).set_value(0.4).run()
    assert "for **ε 0.5** in total." in texts(opened)
    assert "It costs **ε 0.4**; **ε 2.9** is left." in texts(opened)
    foreseen = texts(opened).split("answer so far: **±")[1].split(" ")[0]
    press(opened, AGAIN)
    assert "Charged: **ε 0.4**." in texts(opened)
    assert f"± {foreseen} people" in texts(opened)
    assert opened.session_state["scenario"].queries[0].guarantee.epsilon == 0.1


def test_answers_together_that_are_no_more_exact_say_so(opened: AppTest) -> None:
    asked(opened, CountPeopleQuery(), epsilon=2.0)
    press(opened, "Release this answer")
    opened.number_input(key=BOX).set_value(1.0).run()
    assert "**No narrower than now**: at this ε, one more answer would not help." in texts(opened)
    press(opened, AGAIN)
    assert "no narrower than that of the most exact answer alone" in texts(opened)
    assert "so only the answer at ε 2 counts." in texts(opened)


def test_asking_once_is_not_praised_where_it_would_cost_more(opened: AppTest) -> None:
    """Noise has whole steps: two answers may be known a little better than to a step, and one only to the next."""
    press(opened, "Release this answer")
    opened.number_input(key=BOX).set_value(1.5).run()
    once = re.search(r"is as exact for less: one at \*\*ε\s([\d.]+)\*\* would be", texts(opened))
    assert once is not None
    assert float(once[1]) > 1.6
    assert "at least as exact" not in texts(opened)


def test_a_refused_second_answer_says_so(opened: AppTest) -> None:
    press(opened, "Release this answer")
    opened.number_input(key=BOX).set_value(5.0).run()
    (off,) = (one for one in opened.button if one.label == AGAIN)
    assert (off.disabled, off.help) == (True, "This question costs ε 5, and ε 2.9 is left.")


def test_a_refusal_comes_before_the_answers_that_are_there(opened: AppTest) -> None:
    """As where another session was faster: the button was on when the page was drawn."""
    press(opened, "Release this answer")
    opened.number_input(key=BOX).set_value(5.0).run()
    again = opened.session_state["scenario"].queries[0].at(5.0)
    opened.session_state["kept_refused"] = again, "It asks for ε 5, but only ε 2.9 is left."
    shown = [str(getattr(one, "value", "")) for one in opened.run().main]
    refusal, answer = (
        next(i for i, one in enumerate(shown) if text in one) for text in ("**Refused.**", "people.** In 95%")
    )
    assert opened.title[0].value == "Refused: this question costs ε 5, and ε 2.9 is left"
    assert refusal < answer


def test_choices_do_not_combine(opened: AppTest) -> None:
    asked(opened, ModeQuery("self_rated_health"))
    press(opened, "Release this answer")
    press(opened, AGAIN)
    assert "You asked this 2 times" in texts(opened)
    assert "Choices cannot be combined" in texts(opened)
    assert [box.key for box in opened.number_input if box.key == BOX] == []


def test_a_count_that_may_be_negative_is_cut_and_averages_are_rounded_on_demand(opened: AppTest) -> None:
    """Nobody is counted: an interval misses 0 only where noise is beyond its own 95 % mark, four times running."""
    asked(opened, CountPeopleQuery(where=Comparison("age", ">", 120.0)), epsilon=0.01)
    for epsilon in (0.01, 0.011, 0.012, 0.013, 0.014, 0.015):
        for box in (box for box in opened.number_input if box.key == BOX):
            box.set_value(epsilon).run()
        press(opened, "Release this answer" if epsilon == 0.01 else AGAIN)
        answer, half_width = map(number, re.findall(r"-?[\d,]+", opened.title[0].value)[:2])
        if abs(answer) < half_width and epsilon > 0.011:
            break
    assert [one.label for one in opened.toggle if one.key == "rounded_answer"] == []
    assert opened.toggle(key="clamped_answer").label == "No less than zero"
    opened.toggle(key="clamped_answer").set_value(True).run()
    shown = texts(opened).replace("\\", "")
    assert re.search(r"(?:people|1 person) \(0 to [\d,]+\), from the released -?[\d,]+ ± [\d,]+ people", shown)
    assert re.search(r"The noise is larger than the answer: all this says is “at most [\d,]+ people”\.", shown)
    assert opened.toggle(key="rounded_together").label == "Round to whole numbers"
    line = together(opened)
    opened.toggle(key="rounded_together").set_value(True).run()
    assert together(opened) != line
    assert "(0 to" not in together(opened), "what is rounded is not clamped"


def number(shown: str) -> int:
    """A whole number as it is written on a screen."""
    return int(shown.replace(",", ""))


def together(page: AppTest) -> str:
    """The combined answer as it stands in its heading."""
    return texts(page).split("times: together ")[1].split("\n")[0]


def test_another_session_finds_the_answers_together(opened: AppTest, new_app: Callable[[], AppTest]) -> None:
    press(opened, "Release this answer")
    press(opened, AGAIN)
    other = new_app().switch_page("pages/explore/release/page.py").run()
    assert "You asked this 2 times" in texts(other)


def test_under_the_concentrated_rule_the_single_answer_is_priced_in_rho(open_page: OpenPage) -> None:
    page = open_page("explore/release")
    page.radio(key="account_rule").set_value("concentrated").run()
    press(page, "Open the account")
    press(page, "Release this answer")
    assert "An account can also add up ε instead of ρ (naive): it would have charged ε 0.1." in texts(page)
    press(page, AGAIN)
    once = "No single answer is as exact for less: one at **ε\u00a00.1461, for ρ 0.01068** would have been"
    assert f"Charged in total: **ρ 0.01**. {once}" in texts(page)


def test_many_numbers_are_shown_together_on_demand(opened: AppTest) -> None:
    opened.selectbox(key="release_question").set_value(2).run()
    press(opened, "Release this answer")
    assert "The intervals hold for all numbers at once" in texts(opened)
    press(opened, AGAIN)
    assert "together 4 counts, all within ±143 rows" in texts(opened)
    frames = len(opened.dataframe)
    opened.toggle(key="show_together").set_value(True).run()
    assert len(opened.dataframe) == frames + 1
    assert not opened.exception


def test_what_does_not_fit_says_what_would(opened: AppTest) -> None:
    plan = opened.session_state["scenario"]
    opened.session_state["scenario"] = plan.with_query_at(0, plan.queries[0].at(2.0))
    press(opened.run(), "Release this answer")
    assert "It costs **ε 2**; **ε 1** is left." in texts(opened)
    assert "**It does not fit.** Nothing is charged. Ask again at ε 1 or less." in texts(opened)
    assert "Together with the answer so far" not in texts(opened), "It would promise what is refused."
    opened.number_input(key=BOX).set_value(0.5).run()
    assert "Together with the answer so far" in texts(opened)
    opened.session_state["scenario"] = plan.with_query_at(1, plan.queries[1].at(2.0))
    opened.selectbox(key="release_question").set_value(1).run()
    assert "**It does not fit.** Nothing is charged. On the **Trade-off** page, give it ε 1 or less." in texts(opened)
