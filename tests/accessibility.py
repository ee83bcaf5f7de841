"""What axe-core says against an open page, without what Streamlit's own parts do and we cannot mend."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parent / "browser" / "axe" / "axe.min.js"
STOCK: Mapping[str, str] = {
    # The menu's list puts each section's pages into a div between the list and its items.
    "list": '[data-testid="stSidebarNavItems"]',
    "listitem": '[data-testid="stSidebarNavItems"] > div > li',
    # The box for files is a drop zone with a name; the button and the input inside it are what a keyboard reaches.
    "presentation-role-conflict": '[data-testid="stFileUploaderDropzone"]',
}
"""Of a rule, the elements of Streamlit 1.67 that break it on its own pages too; nothing else of that rule passes."""

_STILL = "*, *::before, *::after { transition: none !important; animation: none !important }"
_VIOLATIONS = """async stock => {
    const {violations} = await axe.run(document, {resultTypes: ['violations'], elementRef: true});
    const ours = rule => node => !(stock[rule] && node.element.matches(stock[rule]));
    return violations.flatMap(({id, nodes}) => nodes.filter(ours(id)).map(node =>
        `${id}: ${node.html.slice(0, 160)} (${node.failureSummary.split('\\n').slice(1).join(' ').trim()})`));
}"""


def violations(page: Page) -> list[str]:
    """Every element of our own making that breaks a rule of axe-core, as the rule, the element, and what is wrong."""
    if not page.evaluate("() => 'axe' in window"):
        page.add_style_tag(content=_STILL)
        page.add_script_tag(path=AXE)
    return [str(found) for found in page.evaluate(_VIOLATIONS, dict(STOCK))]
