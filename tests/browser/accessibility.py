"""What axe-core says against an open page, without what Streamlit's own parts do and we cannot mend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as NotInTime

from tests.servers.browsing import REDRAWN_MILLISECONDS, settled

AXE = Path(__file__).parent / "axe" / "axe.min.js"
STOCK: Mapping[str, str] = {
    # The menu's list puts each section's pages into a div between the list and its items.
    "list": '[data-testid="stSidebarNavItems"]',
    "listitem": '[data-testid="stSidebarNavItems"] > div > li',
    # The box for files is a drop zone with a name; the button and the input inside it are what a keyboard reaches.
    "presentation-role-conflict": '[data-testid="stFileUploaderDropzone"]',
    # The name of a box that is off need not stand out; axe-core sees that of a browser's own boxes alone.
    "color-contrast": '.stSelectbox:has(input:disabled) [data-testid="stWidgetLabel"] p',
}
"""Of a rule, the elements of Streamlit 1.67 that break it on its own pages too; nothing else of that rule passes."""

STILL = "*, *::before, *::after { transition: none !important; animation: none !important }"
"""Colors that are on their way to others are neither measured nor compared."""
_VIOLATIONS = """async ([stock, within, colors]) => {
    const context = {include: [within], exclude: ['.js-plotly-plot .main-svg']};
    const rules = {'color-contrast': {enabled: colors}};
    const preload = {assets: ['media']};
    const {violations} = await axe.run(context, {rules, preload, resultTypes: ['violations'], elementRef: true});
    const ours = rule => node => !(stock[rule] && node.element.matches(stock[rule]));
    return violations.flatMap(({id, nodes}) => nodes.filter(ours(id)).map(node =>
        `${id}: ${node.html.slice(0, 160)} (${node.failureSummary.split('\\n').slice(1).join(' ').trim()})`));
}"""
SMALLEST = 14
"""Pixels of a text that a projector still carries to the last row."""
_APART = '.katex, sup, sub, tspan[style*="70%"], style, script, [data-testid="stIconMaterial"]'
"""Formulas and exponents, which have sizes of their own, icons, and what nobody sees."""
_SMALL = """([smallest, apart]) => {
    const walker = document.createTreeWalker(document.querySelector('.stApp'), NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) {
        const text = walker.currentNode.textContent.trim(), element = walker.currentNode.parentElement;
        if (!text || element.closest(apart)) continue;
        const {width, height, left, right} = element.getBoundingClientRect();
        if (width < 2 || height < 2 || !element.checkVisibility({visibilityProperty: true})) continue;
        const drawn = element.getScreenCTM ? Math.hypot(element.getScreenCTM().a, element.getScreenCTM().b) : 1;
        const size = Math.round(100 * drawn * parseFloat(getComputedStyle(element).fontSize)) / 100;
        const chart = element.closest('.js-plotly-plot')?.getBoundingClientRect();
        if (chart && (left < chart.left - 1 || right > chart.right + 1)) found.push(`${text.slice(0, 60)}: cut off`);
        if (size < smallest) found.push(`${text.slice(0, 60)}: ${size} pixels`);
    }
    return found;
}"""


def hard_to_read(page: Page) -> list[str]:
    """The texts of a page, of its charts too, that are too small or cut off.

    A chart takes the width of a phone a moment after it was drawn, which is waited for.
    """
    asked = [SMALLEST, _APART]
    with suppress(NotInTime):
        page.wait_for_function(f"asked => !({_SMALL})(asked).length", arg=asked, timeout=REDRAWN_MILLISECONDS)
    return [str(found) for found in page.evaluate(_SMALL, asked)]


def violations(page: Page, *, within: str = "html", colors: bool = True) -> list[str]:
    """Every element of our own making that breaks a rule of axe-core, as the rule, the element, and what is wrong.

    A chart's lines are left out, which axe-core cannot judge and takes long over; its texts are `hard_to_read`'s.
    Style sheets are not fetched and read again: only an experimental rule asks for them, and none of those is run.
    `colors`: whether a text stands out from its ground, too, which is half of the work.
    What is being drawn anew is faint for a moment: a fault counts when it is still there once the page has settled.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.add_style_tag(content=STILL)
        page.evaluate(AXE.read_text(encoding="utf-8"))
    with _whole(page):
        first = set(_found(page, within, colors))
        return [one for one in _found(settled(page), within, colors) if one in first] if first else []


@contextmanager
def _whole(page: Page) -> Iterator[None]:
    """In a window as high as the page: of what lies below the window axe-core compares no colors."""
    size, high = page.viewport_size, page.evaluate("() => document.querySelector('.stMain')?.scrollHeight ?? 0")
    if size is None or high <= size["height"]:
        yield
        return
    page.set_viewport_size({"width": size["width"], "height": high})
    yield
    page.set_viewport_size(size)


def _found(page: Page, within: str, colors: bool) -> list[str]:
    return [str(one) for one in page.evaluate(_VIOLATIONS, [dict(STOCK), within, colors])]
