"""Stopwatches inside a page: from the hand to the picture, and from the hand letting go to a page at rest.

A stroke is one value that the hand gives the dial. It begins when the page hears of it (the `input` event, which the
browser delivers at the start of a frame of the screen) and ends after the frame that shows it was painted: a message
posted from that frame's animation callback arrives when its painting is done. The time from the movement of the hand
itself is kept beside it; it holds the wait for the next frame as well, up to 1000/60 ms at 60 frames a second, which no
page can shorten.

A release begins with the time stamp of the button or key that let the dial go. Every later change anywhere in the page
sets its end to the painting of the frame after it. It is over when the server has answered, its script has ended,
nothing is stale, and the page stayed unchanged and the server silent for QUIET_MILLISECONDS, which are not counted.
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page

QUIET_MILLISECONDS = 300
LONGEST_MILLISECONDS = 30_000

STREAMLIT_IDLE = """() => document.querySelector('[data-testid="stApp"]').dataset.testScriptState === 'notRunning'
    && document.querySelector('[data-stale="true"], [data-testid="stStatusWidget"]') === null"""


@dataclass(frozen=True, kw_only=True)
class Stroke:
    """Milliseconds: in the page's own script, until painted, and until painted since the hand moved."""

    script: float
    painted: float
    since_hand: float


def listen(page: Page) -> None:
    """Note when the server says something; to be called before the page is opened."""
    page.add_init_script(_LISTENER)


def install(page: Page, *, idle: str = STREAMLIT_IDLE) -> None:
    """Put the stopwatches into the page, once after it has settled; `idle` is the script that says so."""
    page.evaluate(_STOPWATCH.replace("IDLE", idle))


def strokes(page: Page) -> list[Stroke]:
    """The strokes since the last call, the last one painted."""
    page.evaluate("() => new Promise(done => window.stopwatch.afterPaint(done))")
    found = page.evaluate("() => window.stopwatch.strokes.splice(0)")
    return [Stroke(script=script, painted=painted, since_hand=since) for script, painted, since in found]


def arm(page: Page) -> None:
    """Wait for a release: the next button or key that is let go."""
    page.evaluate("() => window.stopwatch.arm()")


def milliseconds_to_rest(page: Page) -> float:
    """Of the release since `arm`."""
    page.wait_for_function(
        "quiet => window.stopwatch.rests(quiet)", arg=QUIET_MILLISECONDS, polling=50, timeout=LONGEST_MILLISECONDS
    )
    return float(page.evaluate("() => window.stopwatch.elapsed()"))


_LISTENER = """
    window.WebSocket = class extends window.WebSocket {
        constructor(...given) {
            super(...given);
            this.addEventListener('message', () => { window.lastHeard = performance.now(); });
        }
    };
"""
_STOPWATCH = """() => {
    const idle = IDLE;
    const watch = window.stopwatch = {
        strokes: [], moved: null, released: null, changed: null, painted: null,
        arm() { Object.assign(this, {released: null, changed: null, painted: null}); },
        elapsed() { return this.painted - this.released; },
        rests(quiet) {
            return this.painted !== null && this.painted >= this.changed && idle()
                && window.lastHeard > this.released
                && performance.now() - Math.max(this.changed, window.lastHeard) > quiet;
        },
        afterPaint(done) {
            requestAnimationFrame(() => {
                const channel = new MessageChannel();
                channel.port1.onmessage = done;
                channel.port2.postMessage(null);
            });
        },
    };
    const isDial = event => event.target.matches?.('input[type=range]');
    let heard = null;
    addEventListener('pointermove', event => { watch.moved = event.timeStamp; }, true);
    addEventListener('input', event => { if (isDial(event)) heard = performance.now(); }, true);
    addEventListener('input', event => {
        if (!isDial(event)) return;
        const [begun, ended, moved] = [heard, performance.now(), watch.moved];
        watch.afterPaint(() => {
            const now = performance.now();
            watch.strokes.push([ended - begun, now - begun, now - moved]);
        });
    });
    for (const kind of ['pointerup', 'keydown'])
        addEventListener(kind, event => { watch.released ??= event.timeStamp; }, true);
    const note = () => {
        if (watch.released === null) return;
        watch.changed = performance.now();
        watch.afterPaint(() => { watch.painted = performance.now(); });
    };
    const everything = {subtree: true, childList: true, characterData: true, attributes: true};
    new MutationObserver(note).observe(document.body, everything);
    for (const host of document.querySelectorAll('*'))
        if (host.shadowRoot) new MutationObserver(note).observe(host.shadowRoot, everything);
}"""
