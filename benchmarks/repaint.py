"""A stopwatch inside the page: from the key press to the last repaint that it causes.

It starts with the time stamp of the key press itself. Every change of the title (h1), of a chart or of a component's
shadow tree sets the stop to the second animation frame after it, when it is on the screen. It has stopped when the
title differs from before, at least one chart was redrawn, the script has ended, nothing is stale, and all this stayed
unchanged for QUIET_MILLISECONDS, which are not counted. A chart that looks the same as before need not be redrawn.
"""

from __future__ import annotations

from playwright.sync_api import Page

DIAL = ".st-key-tradeoff_epsilon input[type=range]"
SPAN = 8
QUIET_MILLISECONDS = 300
LONGEST_MILLISECONDS = 20_000


def install(page: Page) -> None:
    """Put the stopwatch into the page, once after it has settled."""
    page.evaluate(_STOPWATCH)


def milliseconds(page: Page, *, step: int) -> float:
    """Turn the dial by one step and time the repaint; the steps go SPAN to the left, SPAN back, and so on.

    Small epsilons are where every step changes the title.
    """
    page.locator(DIAL).first.focus()
    page.evaluate("() => window.stopwatch.arm()")
    page.keyboard.press("ArrowRight" if step // SPAN % 2 else "ArrowLeft")
    page.wait_for_function(
        "quiet => window.stopwatch.stopped(quiet)",
        arg=QUIET_MILLISECONDS,
        polling=25,
        timeout=LONGEST_MILLISECONDS,
    )
    return float(page.evaluate("() => window.stopwatch.elapsed()"))


_STOPWATCH = """() => {
    const CHART = '.js-plotly-plot';
    const main = () => document.querySelector('[data-testid="stMain"]');
    const title = () => main().querySelector('h1')?.innerText ?? '';
    const element = node => node instanceof Element ? node : node.parentElement;
    const touches = (record, selector) =>
        element(record.target)?.closest(selector)
        || [...record.addedNodes].some(node => node instanceof Element
            && (node.matches(selector) || node.querySelector(selector)));
    const idle = () =>
        document.querySelector('[data-testid="stApp"]').dataset.testScriptState === 'notRunning'
        && document.querySelector('[data-stale="true"], [data-testid="stStatusWidget"]') === null;
    const watch = window.stopwatch = {
        pressed: null, changed: null, painted: null, redrawn: 0, before: '',
        arm() { Object.assign(this, {pressed: null, changed: null, painted: null, redrawn: 0, before: title()}); },
        elapsed() { return this.painted - this.pressed; },
        stopped(quiet) {
            return this.painted !== null && this.redrawn > 0 && title() !== this.before && idle()
                && this.painted >= this.changed && performance.now() - this.changed > quiet;
        },
    };
    const note = charts => {
        if (watch.pressed === null) return;
        watch.changed = performance.now();
        watch.redrawn += charts;
        requestAnimationFrame(() => requestAnimationFrame(() => { watch.painted = performance.now(); }));
    };
    const everything = {subtree: true, childList: true, characterData: true, attributes: true};
    new MutationObserver(records => {
        const charts = records.filter(record => touches(record, CHART)).length;
        if (charts || records.some(record => touches(record, 'h1'))) note(charts);
    }).observe(document.body, everything);
    for (const host of document.querySelectorAll('*'))
        if (host.shadowRoot) new MutationObserver(records => note(records.length)).observe(host.shadowRoot, everything);
    addEventListener('keydown', event => { watch.pressed ??= event.timeStamp; }, true);
}"""
