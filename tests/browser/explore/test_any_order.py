"""The form of a file in any order: whoever chooses, types and corrects at random never meets an error of ours.

In a browser, since it sends the words of a choice that it shows, which may be of the run before; tests of a page by
itself always send those of the last run.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.servers.browsing import picked, settled
from tests.servers.server import Server

STEPS = 200
_OFFICE = "Größe;Ort;Tag;raucht\n" + "".join(f"1,{i:02d};Ort {i};{i % 28 + 1}.12.2024;ja\n" for i in range(60))
FILES: Mapping[str, bytes] = {
    "office.csv": _OFFICE.encode("latin-1"),
    "visits.csv": b"person,cost\n" + b"".join(b"%d,%d.5\n" % (i // 2, i) for i in range(60)),
    "ragged.csv": b"age,sex\n34,f\n50\n",
    "empty.csv": b"",
}
TYPED = ("", "0", "-3.5", "150", "f, m", "a, a", '"', "1e300")
CHOICES, BOXES, SWITCHES = (
    '[role="combobox"]',
    'input[type="text"], input[type="number"]',
    'label:has(input[type="radio"])',
)


def bring(page: Page, name: str) -> None:
    file = {"name": name, "mimeType": "text/csv", "buffer": FILES[name]}
    with page.expect_response(lambda answer: "/upload_file/" in answer.url and answer.request.method == "PUT"):
        page.locator('[data-testid="stFileUploader"] input[type="file"]').first.set_input_files(file)  # type: ignore[arg-type]
    settled(page)
    closed = page.get_by_text("Change how the file is read")
    expect(closed).to_be_visible()
    if not page.get_by_role("combobox", name="Dates").is_visible():
        closed.click()
        settled(page)


def choose(page: Page, box: Locator, rng: random.Random, *, option: str = "") -> None:
    """One of the options that are in sight, or the first that begins like this."""
    draw = rng.random()

    def one(options: Locator) -> Locator:
        if option:
            return options.filter(has_text=re.compile(f"^{option}")).first
        return options.nth(int(draw * options.count()))

    picked(box, one)


def type_in(page: Page, box: Locator, rng: random.Random) -> None:
    text = rng.choice(TYPED)
    box.fill(text if box.get_attribute("type") == "text" or text[-1:].isdigit() else "")
    box.press("Enter")
    settled(page)


def switch(page: Page, label: Locator, rng: random.Random) -> None:
    label.click()
    settled(page)


def another(page: Page, rng: random.Random) -> str:
    name = rng.choice(list(FILES))
    bring(page, name)
    return f"bring {name}"


KINDS: Sequence[tuple[str, Callable[[Page, Locator, random.Random], None]]]
KINDS = [*[(CHOICES, choose)] * 6, *[(BOXES, type_in)] * 3, (SWITCHES, switch)]


def moves(rng: random.Random, steps: int) -> Iterator[tuple[str, Callable[[Page, Locator, random.Random], None]]]:
    """So many moves, of which every ten have each kind as often as it deserves."""
    for _ in range(0, steps, len(KINDS)):
        yield from rng.sample(KINDS, len(KINDS))


def move(page: Page, rng: random.Random, selector: str, act: Callable[[Page, Locator, random.Random], None]) -> str:
    """Do something with one of the form's own widgets, or bring another file; what it was."""
    if rng.random() < 0.08:
        return another(page, rng)
    found = [one for one in page.locator(f'[data-testid="stMain"] :is({selector})').all() if one.is_visible()]
    found = [one for one in found if one.is_enabled()]
    if not found:  # a file that is refused has no form
        return another(page, rng)
    one = rng.choice(found)
    name = one.get_attribute("aria-label") or one.inner_text()
    act(page, one, rng)
    return f"{act.__name__} {name}"


@pytest.fixture
def form(server: Server, browser_page: Page) -> Page:
    browser_page.goto(server.address("data"))
    bring(settled(browser_page), "office.csv")
    return browser_page


def test_encoding_delimiter_decimal_comma_and_then_a_kind(form: Page) -> None:
    """A column that looks like a number only now is one, and what was chosen before stays."""
    rng = random.Random(0)
    named = lambda label: form.get_by_role("combobox", name=label)  # noqa: E731
    choose(form, named("Delimiter"), rng, option="comma")
    choose(form, named("encoding"), rng, option="Latin-1")
    choose(form, named("Delimiter"), rng, option="semicolon")
    choose(form, named("Kind of raucht"), rng, option="yes or no")
    expect(named("Kind of Größe")).to_have_value("number")  # as the first rows suggest
    choose(form, named("Decimal mark"), rng, option="point")
    expect(named("Kind of Größe")).to_have_value("text")
    choose(form, named("Decimal mark"), rng, option="comma")
    expect(named("Kind of Größe")).to_have_value("number")
    choose(form, named("Kind of Ort"), rng, option="category")
    expect(form.get_by_test_id("stException")).to_have_count(0)
    expect(named("Kind of Größe")).to_have_value("number")
    expect(named("Kind of raucht")).to_have_value("yes or no")


@pytest.mark.slow  # the order that once ended in an error is the test above
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(5))
def test_no_order_of_choices_ends_in_an_error(form: Page, seed: int) -> None:
    rng, done = random.Random(seed), []
    for selector, act in moves(rng, STEPS):
        done.append(move(form, rng, selector, act))
        assert form.get_by_test_id("stException").count() == 0, done
    assert {"choose", "type_in"} <= {one.split()[0] for one in done}, done
