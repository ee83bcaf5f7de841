"""How the tour's bar looks: two lines of text beside its buttons on a desktop, above them on a phone."""

from __future__ import annotations

CSS = """
<style>
[data-testid="stBottom"] > div { border-top: 1px solid rgba(128, 140, 160, .45); }
[data-testid="stBottomBlockContainer"] { padding: .35rem 2rem .45rem; max-width: 1560px; }
.st-key-tour_bar { flex-wrap: nowrap; }
.st-key-tour_bar button { min-height: 2rem; padding: .1rem .6rem; }
.tour-words { display: flex; gap: .8rem; align-items: center; font-size: .875rem; line-height: 1.3; }
.tour-words > div { flex: 1; }
.tour-words > div > i { font-style: normal; opacity: .8; }
.tour-dots { display: inline-flex; gap: 4px; flex: none; }
.tour-dots i { width: 8px; height: 8px; border-radius: 50%; border: 1.5px solid currentColor; opacity: .6; }
.tour-dots i.tried { background: currentColor; }
.tour-dots i.here { width: 18px; border-radius: 4px; background: currentColor; opacity: 1; }
.tour-done { white-space: nowrap; }
@media (max-width: 640px) {
  [data-testid="stBottomBlockContainer"] { padding: .35rem .9rem .45rem; }
  .st-key-tour_bar { flex-direction: column; align-items: stretch; gap: .35rem; }
  .st-key-tour_bar > * { width: 100%; flex: none !important; }
  .st-key-tour_ways { justify-content: space-between; }
  .tour-words { display: block; }
  .tour-words > div { display: inline; }
  .tour-dots { margin-right: .5rem; }
}
</style>
"""
