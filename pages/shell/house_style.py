"""The little CSS that the theme cannot say: white cards, tighter margins, a slim menu, one row of ticks on the dial.

A table's own download is hidden: spreadsheets would take some of its cells for formulas, and ours are made harmless.
What is chosen is written in a color of its own: Streamlit writes white on the primary color, which is therefore too
dark for text on a dark page.
"""

from __future__ import annotations

import streamlit as st

from dpengine.charts import PALETTES, Palette

CHOSEN = {PALETTES["light"]: "#1c2430", PALETTES["dark"]: "#7cc4f0"}
_CSS = """
<style>
@keyframes late {{ from {{ visibility: hidden; }} to {{ visibility: visible; }} }}
[class*="st-key-still_"] {{ animation: late 1ms 2s both; }}
.stMainBlockContainer {{ padding: 4rem 2rem 2rem; max-width: 1560px; }}
.stMainBlockContainer h1 {{ padding: 0 0 .15rem; letter-spacing: -.01em; line-height: 1.2; }}
.stMainBlockContainer h2, .stMainBlockContainer h4 {{ padding: 0; font-size: 1.06rem; }}
.stMain .stVerticalBlock {{ gap: .7rem; }}
.stMainBlockContainer:has(.st-key-share_corner) {{ position: relative; }}
[data-testid="stLayoutWrapper"]:has(> .st-key-share_corner) {{
  position: absolute; top: .85rem; right: 2rem; width: auto; z-index: 1000000;
}}
.st-key-share_corner button {{ min-height: 2.1rem; padding: .1rem .7rem; }}
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-no_room"]) {{ display: none; }}
[class*="st-key-card"] {{ background: {background}; gap: .35rem !important; padding: .7rem .9rem !important; }}
@media (min-width: 900px) {{
  [data-testid="stSidebar"][data-collapsed="false"] {{ width: 236px !important; min-width: 236px; }}
}}
[data-testid="stSidebarHeader"]::before {{ content: "Epsilon Explorer"; font-weight: 700; font-size: 1.12rem; }}
[data-testid="stSidebarHeader"] {{ align-items: center; }}
[data-testid="stElementToolbar"] button[aria-label^="Download as CSV"] {{ display: none; }}
.stMain:focus-visible, [data-testid="data-grid-canvas"]:focus-visible,
[data-testid="stElementToolbar"] button:focus-visible {{ outline: 2px solid {ring} !important; outline-offset: -3px; }}
.js-plotly-plot .plotly .modebar--hover:focus-within {{ opacity: 1; }}
[data-testid="stElementToolbar"]:focus-within {{ opacity: 1 !important; }}
@media (hover: none) {{ .js-plotly-plot .plotly .modebar--hover {{ opacity: 1; }} }}
[data-testid="stNumberInputStepDown"], [data-testid="stNumberInputStepUp"], [data-testid="stNumberInputClearButton"],
[class*="st-key-card_dial"] [data-testid="stSliderTickBar"] {{ display: none; }}
[data-testid="stButtonGroup"] button[data-selected],
[data-testid="stSliderThumbValue"] {{ color: {chosen} !important; border-color: {chosen} !important; }}
[data-testid="stRadio"] label > div > div:first-child {{ border: 2px solid {ring} !important; }}
[data-testid="stRadio"] label[data-selected] > div > div:first-child {{ border-color: {chosen} !important; }}
.stMainBlockContainer h2, .stMainBlockContainer h4 {{ padding-bottom: .35rem !important; }}
@media (min-width: 900px) {{
  [data-testid="stSidebarHeader"] {{ height: 3rem; margin-bottom: .4rem; }}
}}
@keyframes unread {{ from {{ pointer-events: none; }} }}
:is([class*="st-key-release_"], [class*="st-key-room_ask_"], [class*="st-key-top_up"], [class*="st-key-host_next"],
  [class*="st-key-remove_"]) button {{ animation: unread 1.2s step-end; }}
.to-read :is([class*="st-key-release_"], [class*="st-key-room_ask_"], [class*="st-key-top_up"],
  [class*="st-key-open_account"], [class*="st-key-host_open"]) button {{ pointer-events: none; }}
.not-connected-words {{
  display: none; position: fixed; bottom: 0; left: 0; right: 0; z-index: 1000001; padding: .9rem 1.2rem;
  font-weight: 600; font-size: max(1.1rem, 2.4vh); line-height: 1.35; background: {ring}; color: {background};
}}
.not-connected .not-connected-words {{ display: block; }}
.not-connected [data-testid="stDialog"] {{ display: none; }}
.comma-read {{ font-size: .9rem; line-height: 1.35; padding-top: .25rem; }}
[data-testid="stCaptionContainer"]:has(code) {{ opacity: 1; color: {ring}; }}
.stApp code {{ font-size: max(.875em, 14px) !important; }}
[data-testid="stSidebarUserContent"] .stVerticalBlock {{ gap: .5rem; }}
[data-testid="stSidebarUserContent"] .stMarkdown {{ font-size: .9rem; }}
[data-testid="stSidebarUserContent"] .stMarkdown p {{ font-size: .9rem; line-height: 1.45; }}
[class*="st-key-"][class*="_step"] button {{ padding: .2rem .55rem; }}
.st-key-sql_text textarea {{ font-family: "Source Code Pro", ui-monospace, monospace; font-size: .9rem; }}
.st-key-explained {{ border-top: 1px solid {line}; padding-top: .6rem; }}
.legend {{ display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; font-size: .9rem; line-height: 1.5; }}
.legend i {{ display: inline-block; width: 30px; vertical-align: middle; margin-right: .4rem; }}
.strip > div {{ display: flex; height: 14px; border-radius: 4px; overflow: hidden; background: {line}; }}
.strip i {{ display: block; height: 100%; }}
.strip-legend {{ display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; font-size: .88rem; line-height: 1.5; }}
.st-key-stations [data-testid="stPageLink"] {{ margin-bottom: -.35rem; }}
.st-key-stations {{ padding-bottom: .7rem; }}
.strip-legend b {{ display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: .35rem; }}
@media (min-width: 641px) {{ [data-testid="stElementContainer"]:has(.whole-question) {{ display: none; }} }}
@media (max-width: 640px) {{
  .stMainBlockContainer {{ padding: 4.2rem .9rem 2rem; }}
  [data-testid="stLayoutWrapper"]:has(> .st-key-share_corner) {{ top: .65rem; right: .9rem; }}
  .stMarkdown table {{ font-size: .875rem; }}
  .stMarkdown th, .stMarkdown td {{ padding: .2rem .35rem !important; }}
}}
</style>
"""


def apply(palette: Palette) -> None:
    """Put the style into the page; nothing in it comes from a user."""
    st.html(_CSS.format(background=palette.background, ring=palette.muted, line=palette.line, chosen=CHOSEN[palette]))
