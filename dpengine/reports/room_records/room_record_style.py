"""The look of a room's record: that of a brief, on as many pages of A4 or Letter as the room has asked questions."""

from __future__ import annotations

from dpengine.charts import PALETTES
from dpengine.reports.briefs import brief_style

_INK = PALETTES["light"]
CSS = f"""{brief_style.CSS}
h2 {{ break-after: avoid; }}
section {{ break-inside: auto; }}
figure, tr, li, .check {{ break-inside: avoid; }}
thead {{ display: table-header-group; }}
.about div + div {{ margin-top: .4mm; }}
.asked, .check table {{ table-layout: fixed; }}
.asked th:first-child {{ width: 11mm; white-space: nowrap; }}
.asked .what {{ width: 42%; }}
.asked .cost {{ width: 15%; }}
.asked ul {{ padding: 0; list-style: none; }}
.asked li {{ margin: 0; }}
.asked b {{ color: {_INK.with_person}; white-space: nowrap; }}
.refused {{ font-weight: 700; }}
.ends {{ color: {_INK.muted}; white-space: nowrap; }}
.who {{ color: {_INK.muted}; font-size: 8.6pt; }}
.picture {{ max-width: 116mm; }}
.check + .check {{ margin-top: 2mm; }}
.check caption {{ color: {_INK.text}; font-size: 9.7pt; }}
.check th {{ font-weight: 400; width: 55%; }}
.check td:last-child {{ width: 22mm; }}
.check .right > * {{ font-weight: 700; }}
.share {{ display: block; height: 3mm; background: #eef1f4; }}
.share i {{ display: block; height: 100%; background: {_INK.answers}; }}
.right .share i {{ background: {_INK.left}; }}
.link {{ font-size: 8pt; line-height: 1.3; overflow-wrap: anywhere; }}
.link span {{ display: block; }}
footer dl {{ display: block; }}
footer dd {{ overflow-wrap: anywhere; }}
@media screen and (max-width: 640px) {{
  .asked, .asked caption, .asked tbody, .asked tr, .asked td, .asked tbody th {{
    display: block; width: auto; text-align: left; }}
  .asked thead {{ display: none; }}
  .asked tbody tr > * {{ border-top: 0; padding-block: .2mm; }}
  .asked tr {{ border-top: .5pt solid #c5ccd5; padding-block: 1.4mm; }}
  .asked .what, .asked .cost {{ width: auto; }}
}}
"""
