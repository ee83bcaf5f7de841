"""The live dial in a real browser: pointer, keyboard, typed numbers, and what happens without its script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from dpengine.beliefs import posterior_bounds
from dpengine.formatting import amount, between_of_100
from dpengine.frames import EPSILONS
from dpengine.mechanisms import DiscreteLaplaceMechanism
from tests.running.voice import retired
from tests.servers.browsing import noted, number_box, opened_context, settled, turned
from tests.servers.menus import followed
from tests.servers.server import Server


@dataclass(frozen=True, kw_only=True)
class Dialled:
    """A page on which several tests turn the dial, every message that it sent, and what its scripts stumbled over."""

    page: Page
    sent: list[object]
    problems: list[str]

    def opened(self, title: str = "Trade-off") -> Page:
        """A page of the menu, whose dial is drawn and stands at its first epsilon."""
        page = ready(followed(self.page, title))
        if part(page, "box").input_value() != "0.1":
            part(page, "box").fill("0.1")
            part(page, "box").press("Enter")
        expect(part(page, "finding")).to_have_text(finding(0.1))
        return settled(page)


@pytest.fixture(scope="module")
def dialled(server: Server, browser: Browser) -> Iterator[Dialled]:
    context = opened_context(browser)
    page = context.new_page()
    sent, problems = noted(page)
    page.goto(server.address("tradeoff"))
    settled(page)
    yield Dialled(page=page, sent=sent, problems=problems)
    context.close()
    assert problems == []


def ready(page: Page) -> Page:
    """The page once its dial is drawn."""
    expect(page.locator(".live-dial.ready h1")).to_contain_text("answers")
    return page


def finding(epsilon: float) -> str:
    half_width = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1).error_quantile(0.95)
    return (
        f"95% of possible answers are off by at most {amount(half_width)} {'person' if half_width == 1 else 'people'}"
    )


def part(page: Page, name: str) -> Locator:
    return page.locator(f'.live-dial [data-part="{name}"]')


def centre(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize(("title", "name"), [("Welcome", "welcome"), ("Trade-off", "tradeoff")])
def test_the_pointer_draws_while_it_moves_and_the_server_hears_at_the_end(
    dialled: Dialled, title: str, name: str
) -> None:
    page, sent = dialled.opened(title), dialled.sent
    box = part(page, "range").bounding_box()
    assert box is not None
    across = lambda index: box["x"] + 11 + (box["width"] - 22) * index / (len(EPSILONS) - 1)  # noqa: E731
    page.mouse.move(across(41), box["y"] + box["height"] / 2)
    page.mouse.down()
    before = len(sent)
    for index in (60, 82, 100):
        page.mouse.move(across(index), box["y"] + box["height"] / 2)
        expect(part(page, "finding")).to_have_text(finding(EPSILONS[index]))
        expect(part(page, "box")).to_have_value(f"{EPSILONS[index]:g}")
    assert len(sent) == before, "Nothing is sent while the hand moves."
    page.mouse.up()
    settled(page)
    assert len(sent) > before, "Positive control: the end of the movement is sent."
    expect(number_box(page, f"{name}_epsilon_box")).to_have_value(f"{EPSILONS[100]:g}")


def test_arrows_move_to_the_next_step_and_say_so(dialled: Dialled) -> None:
    page = dialled.opened()
    part(page, "range").focus()
    page.keyboard.press("ArrowRight")
    settled(page)
    expect(part(page, "finding")).to_have_text(finding(EPSILONS[42]))
    most = between_of_100(posterior_bounds(0.5, epsilon=EPSILONS[42]))[1]
    spoken = re.compile(rf"epsilon {EPSILONS[42]:g}: error within ±\d+ people, belief up to {most} out of 100")
    expect(part(page, "range")).to_have_attribute("aria-valuetext", spoken)
    page.keyboard.press("End")
    settled(page)
    expect(part(page, "finding")).to_have_text("95% of possible answers are exactly right")


def test_the_dial_turns_the_other_way_along_error_and_belief(dialled: Dialled) -> None:
    page = dialled.opened()
    handle = page.locator('.live-dial .handle[data-axis="error"]')
    x, y = centre(handle)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y, steps=4)
    page.mouse.up()
    settled(page)
    smaller = float(part(page, "box").input_value())
    assert smaller > 0.1, "A smaller error needs a larger epsilon."
    belief = page.locator('.live-dial .handle[data-axis="risk"]')
    x, y = centre(belief)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 60, steps=4)
    page.mouse.up()
    settled(page)
    larger = float(part(page, "box").input_value())
    assert larger > smaller, "A higher belief allows a larger epsilon."
    belief.focus()
    page.keyboard.press("ArrowDown")
    stepped = EPSILONS[EPSILONS.index(larger) - 1]
    expect(part(page, "finding")).to_have_text(finding(stepped))
    part(page, "box").fill("0.2")
    page.keyboard.press("Enter")  # before the arrow's step is sent, which waits for the next one
    expect(number_box(page, "tradeoff_epsilon_box")).to_have_value("0.2")
    settled(page)
    belief.focus()
    page.keyboard.press("ArrowDown")
    expect(number_box(page, "tradeoff_epsilon_box")).to_have_value(f"{EPSILONS[EPSILONS.index(0.2) - 1]:g}")
    settled(page)


def test_no_key_and_no_drag_leaves_the_scale_and_each_reaches_its_end(dialled: Dialled) -> None:
    page = dialled.opened()
    belief = page.locator('.live-dial .handle[data-axis="risk"]')
    belief.focus()
    for key, index in (("Home", 0), ("PageDown", 0), ("PageUp", 10), ("End", -1), ("PageUp", -1)):
        page.keyboard.press(key)
        expect(part(page, "box")).to_have_value(f"{EPSILONS[index]:g}")
        assert dialled.problems == []
    page.keyboard.press("Home")
    x, y = centre(belief)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, 0)
    expect(part(page, "box")).to_have_value(f"{EPSILONS[-1]:g}")
    page.mouse.up()
    settled(page)


def test_what_is_typed_just_after_the_hand_let_go_where_it_stood_is_drawn(dialled: Dialled) -> None:
    """No answer comes to a movement that changed nothing, so none is waited for."""
    page = dialled.opened()
    before = len(dialled.sent)
    page.mouse.click(*centre(page.locator('.live-dial .handle[data-axis="risk"]')))
    part(page, "box").fill("0.5")
    page.keyboard.press("Enter")
    expect(part(page, "finding")).to_have_text(finding(0.5))
    expect(part(page, "range")).to_have_value(str(EPSILONS.index(0.5)))
    assert len(dialled.sent) > before, "Positive control: what is typed is sent."


def test_what_the_server_told_before_does_not_pull_the_hand_back_unless_it_stays_its_last_word(
    dialled: Dialled,
) -> None:
    """The dial hears the setting of a moment ago again: just after the hand has let go, and long after."""
    page = dialled.opened()
    told = """after => {
        const dial = document.querySelector(".live-dial").dial, before = dial.now;
        dial.point(60);
        dial.letGo();
        dial.sent.time -= after;
        dial.tell(before);
        return dial.index;
    }"""
    assert page.evaluate(told, 0) == 60
    expect(part(page, "finding")).to_have_text(finding(EPSILONS[60]))
    settled(page)
    dialled.opened()
    assert page.evaluate(told, 60_000) == 41
    settled(page)


def test_the_pictures_stand_where_their_frame_says(dialled: Dialled) -> None:
    """The hump with one person one person to the right of the other, and the wanted errors up to the accepted one."""
    page = dialled.opened()
    without, with_one = (peak(page, place) for place in (0, 1))
    band = part(page, "answers").locator("svg rect").nth(1)
    people = 60 * (with_one - without) / number(band, "width")
    assert people == pytest.approx(1.0, abs=0.2)
    for label, value in (("Accepted error, people", "30"), ("Accepted belief, out of 100", "90")):
        page.get_by_label(label, exact=True).fill(value)
        page.keyboard.press("Enter")
        settled(page)
    drawn = part(page, "tradeoff")
    shade, point = drawn.locator("svg rect"), drawn.locator("svg > circle").nth(1)
    expect(shade).to_have_attribute("visibility", "visible")
    assert number(shade, "x") + number(shade, "width") == pytest.approx(number(point, "cx"), abs=1.0)


def number(drawn: Locator, attribute: str) -> float:
    return float(str(drawn.get_attribute(attribute)))


def peak(page: Page, place: int) -> float:
    """Where the highest point of one of the two humps stands, across its picture."""
    drawn = part(page, "answers").locator("svg path").nth(place).get_attribute("d")
    points = [tuple(map(float, point.split())) for point in re.findall(r"[ML]([\d. ]+)", str(drawn))]
    return min(points, key=lambda point: point[1])[0]


def test_a_typed_epsilon_is_answered_exactly_and_nonsense_gets_a_sentence(dialled: Dialled) -> None:
    page = dialled.opened()
    part(page, "box").fill("0.1234")
    page.keyboard.press("Enter")
    expect(part(page, "finding")).to_have_text(finding(0.1234))
    for nonsense in ("a lot", ""):
        part(page, "box").fill(nonsense)
        page.keyboard.press("Enter")
        expect(page.get_by_text("Type a number, such as 0.5. The pictures still show 0.1234.")).to_be_visible()
        expect(part(page, "finding")).to_have_text(finding(0.1234))
        part(page, "box").fill("0.1234")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Type a number")).to_have_count(0)
    part(page, "box").fill("0,5")
    page.keyboard.press("Enter")
    expect(part(page, "finding")).to_have_text(finding(0.5))
    expect(page.get_by_text("Type a number")).to_have_count(0)
    for whole in ("0.008329", "0.0123456789", "1234.5678"):
        part(page, "box").fill(whole)
        page.keyboard.press("Enter")
        expect(part(settled(page), "box")).to_have_value(whole)
        assert part(page, "box").evaluate("box => box.scrollWidth <= box.clientWidth")


def test_two_settings_stand_side_by_side(dialled: Dialled) -> None:
    page = dialled.opened()
    part(page, "pin").click()
    rows = part(page, "compare").locator("tbody tr")
    expect(rows.nth(0)).to_contain_text("ε 0.1")
    assert retired(page.locator(".live-dial").inner_text()) == []
    part(page, "range").focus()
    page.keyboard.press("Home")
    expect(rows.nth(1)).to_contain_text("ε 0.01")
    settled(page)
    expect(rows.nth(0)).to_contain_text("±30 people")
    part(page, "pin").click()
    expect(part(page, "compare")).to_be_hidden()


def test_possible_answers_stand_at_once_where_motion_is_unwanted(dialled: Dialled) -> None:
    page = dialled.opened()
    part(page, "play").click()
    expect(part(page, "possible")).to_contain_text("Simulated, none released: ")
    assert part(page, "possible").inner_text().count("·") == 19
    once = part(page, "possible").inner_text()
    part(page, "range").focus()
    page.keyboard.press("ArrowRight")
    expect(part(page, "possible")).to_have_text("")
    page.keyboard.press("ArrowLeft")
    settled(page)
    part(page, "play").click()  # the same ones again: nothing can be averaged away
    expect(part(page, "possible")).to_have_text(once)


def test_a_picture_is_drawn_in_its_own_size_whatever_came_first(dialled: Dialled) -> None:
    page = dialled.opened()
    answers = part(page, "answers").locator("svg")
    before = answers.get_attribute("viewBox")
    style = page.add_style_tag(content=".live-dial svg { height: 260px !important; }")
    expect(answers).to_have_attribute("viewBox", re.compile(" 260$"))
    style.evaluate("style => style.remove()")
    expect(answers).to_have_attribute("viewBox", str(before))
    assert before is not None
    assert not before.endswith(" 260")


def test_a_picture_is_saved_without_the_server(dialled: Dialled, tmp_path: Path) -> None:
    page = dialled.opened()
    with page.expect_download() as download:
        page.locator('.live-dial [data-save="answers"]').click()
    download.value.save_as(tmp_path / "picture.svg")
    text = (tmp_path / "picture.svg").read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert text.count("<circle") == 100


def test_without_its_script_the_numbers_stay_readable_and_changeable(altered_page: Page, server: Server) -> None:
    altered_page.add_init_script("Element.prototype.append = () => { throw new Error('planted'); };")
    altered_page.goto(server.address("tradeoff"))
    expect(altered_page.get_by_text("The live picture did not start in this browser.")).to_be_visible()
    box = number_box(altered_page, "tradeoff_epsilon_box")
    box.fill("0.5")
    box.press("Enter")
    expect(altered_page.get_by_role("heading", name=finding(0.5))).to_be_visible()
    expect(altered_page.get_by_text("One such answer costs").last).to_be_visible()


def test_dark_and_light_dials_use_their_own_colors(dialled: Dialled) -> None:
    curve = part(dialled.opened(), "answers").locator("svg path").last
    light = curve.get_attribute("stroke")
    turned(dialled.page, "dark")
    expect(curve).not_to_have_attribute("stroke", str(light))
    turned(dialled.page, "light")
    expect(curve).to_have_attribute("stroke", str(light))
