"""The live budget in a real browser: hand, keys, delta, play; what the server says too once the hand lets go."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from dpengine.data import sample_names
from dpengine.privacy import Guarantee
from dpengine.spending import Spending, shares
from dpengine.spending.onward import onward
from pages.explore.budget.live_burn.frames import EPSILONS, title
from pages.session.first_plan import first_plan
from tests.browser import beside
from tests.running.voice import retired
from tests.servers.browsing import noted, number_box, opened_context, settled
from tests.servers.server import Server

RULES = ("basic", "advanced", "exact")
MOST_BYTES = 300_000
ALL_MILLISECONDS = 180_000
"""All frames are some seconds of work, of a machine that does nothing else."""


@pytest.fixture(scope="module")
def budget(server: Server, browser: Browser) -> Iterator[tuple[Page, list[object]]]:
    """The page once its browser has all frames, and every message that it sends."""
    context = opened_context(browser)
    page = context.new_page()
    sent, problems = noted(page)
    page.goto(beside.emptied(server).address("budget"))
    settled(page)
    page.wait_for_function("() => window.epsilonBurns")
    assert page.evaluate("() => [...window.epsilonBurns.values()].map((one) => Object.keys(one).length)") == [0]
    part(page, "epsilon").hover()
    page.wait_for_function("() => document.documentElement.dataset.burnFrames === 'all'", timeout=ALL_MILLISECONDS)
    settled(page)
    yield page, sent
    context.close()
    assert problems == []


def part(page: Page, name: str) -> Locator:
    return page.locator(f'.live-burn.ready [data-part="{name}"]')


def said_at(total: float, *, delta: float = 1e-6) -> str:
    """What the engine says of the ready-made list at another total."""
    plan = first_plan(sample_names()[0])
    for place, share in enumerate(shares.scaled([one.guarantee.epsilon for one in plan.queries], total=total)):
        plan = plan.with_query_at(place, plan.queries[place].at(share))
    spending = Spending(scenario=plan, rounds=1, budget=Guarantee(epsilon=3.0, delta=delta))
    found = onward(spending, RULES)
    return title("basic", dict(zip(RULES, found.refused, strict=True)), followed=found.followed)


def test_the_hand_draws_and_the_server_hears_at_the_end(budget: tuple[Page, list[object]]) -> None:
    page, sent = budget
    part(page, "delta").select_option(label="10⁻⁶")
    settled(page)
    box = part(page, "epsilon").bounding_box()
    assert box is not None
    across = lambda place: box["x"] + 11 + (box["width"] - 22) * place / (len(EPSILONS) - 1)  # noqa: E731
    high = box["y"] + box["height"] / 2
    page.mouse.move(across(EPSILONS.index(0.3)), high)
    page.mouse.down()
    before = len(sent)
    for total in (0.4, 1.0, 0.15):
        page.mouse.move(across(EPSILONS.index(total)), high)
        expect(part(page, "finding")).to_have_text(said_at(total))
        expect(part(page, "epsilon-said")).to_have_text(f"{total:g}")
    assert len(sent) == before, "Nothing is sent while the hand moves."
    page.mouse.up()
    settled(page)
    assert len(sent) > before, "Positive control: the end of the movement is sent."
    expect(number_box(page, "budget_total")).to_have_value("0.15")
    expect(part(page, "finding")).to_have_text(said_at(0.15))
    expect(page.locator(".st-key-still_budget")).to_be_hidden()


def test_keys_delta_and_times_do_the_same(budget: tuple[Page, list[object]]) -> None:
    page, _ = budget
    part(page, "delta").select_option(label="10⁻⁶")
    part(page, "epsilon").focus()
    page.keyboard.press("End")
    expect(part(page, "finding")).to_have_text(said_at(10.0))
    page.keyboard.press("Home")
    settled(page)
    expect(part(page, "finding")).to_have_text(said_at(0.03))
    expect(part(page, "epsilon")).to_have_attribute("aria-valuetext", f"epsilon 0.03: {said_at(0.03)}")
    part(page, "delta").select_option(label="10⁻⁹")
    settled(page)
    expect(part(page, "finding")).to_have_text(said_at(0.03, delta=1e-9))
    expect(number_box(page, "budget_delta_box")).to_have_value("1.0e-9")
    part(page, "times").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(part(page, "times-said")).to_have_text("list asked 5 times: 15 questions")
    settled(page)
    expect(number_box(page, "budget_rounds")).to_have_value("5")
    expect(part(page, "rules").locator("div").first).to_contain_text("after 15: ε 0.15")


def test_play_ends_where_the_last_rule_has_refused(budget: tuple[Page, list[object]]) -> None:
    """All at once, for those who asked for less motion."""
    page, sent = budget
    part(page, "epsilon").focus()
    page.keyboard.press("Home")
    settled(page)
    page.emulate_media(reduced_motion="reduce")
    before = len(sent)
    part(page, "play").click()
    expect(part(page, "rules").locator("div").first).to_contain_text(re.compile(r"budget gone after \d+"))
    expect(part(page, "play")).to_have_text("Rehearse, question by question")
    assert len(sent) == before
    page.emulate_media(reduced_motion="no-preference")
    part(page, "play").click()
    expect(part(page, "play")).to_have_text("Stop")
    expect(part(page, "rules").locator("div").first).to_contain_text(re.compile(r"after \d+: ε [\d.]+, before [\d.]+"))
    part(page, "play").click()
    expect(part(page, "play")).to_have_text("Rehearse, question by question")
    assert retired(page.locator(".live-burn").inner_text()) == []


def test_all_frames_together_are_small(budget: tuple[Page, list[object]]) -> None:
    page, _ = budget
    frames = page.evaluate("() => [...window.epsilonBurns.values()].map((one) => JSON.stringify(one))")
    assert [json.loads(frames[0]).keys() > {"0 0"}, len(frames)] == [True, 1]
    assert len(frames[0].encode()) < MOST_BYTES
