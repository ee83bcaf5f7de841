"""The look of a brief: quiet, black on white, two sheets of A4 or Letter, one column on a phone."""

from __future__ import annotations

from dpengine.charts import PALETTES

_INK = PALETTES["light"]
CSS = f"""
@page {{ size: auto; margin: 11mm; }}
* {{ box-sizing: border-box; margin: 0; padding: 0; }}
html {{ color-scheme: light; background: #fff; -webkit-print-color-adjust: exact; print-color-adjust: exact; }}
body {{ font: 9.7pt/1.36 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  color: {_INK.text}; max-width: 188mm; margin: 0 auto; padding: 6mm 0; overflow-wrap: anywhere; }}
.sheet + .sheet {{ break-before: page; margin-top: 8mm; }}
@media print {{ body {{ padding: 0; max-width: none; }} .sheet + .sheet {{ margin-top: 0; }}
  .sheet {{ break-inside: avoid; }} }}
header {{ display: flex; justify-content: space-between; align-items: baseline; gap: 6mm;
  border-bottom: 2.2pt solid {_INK.text}; padding-bottom: 1.2mm; }}
.brand {{ font-size: 20pt; font-weight: 800; letter-spacing: -.02em; line-height: 1.1; white-space: nowrap; }}
.about {{ text-align: right; color: {_INK.muted}; font-size: 9pt; }}
.plan {{ font-size: 9pt; margin-top: 2mm; padding: 1.2mm 2.4mm; background: #f1f3f6; }}
.plan b {{ letter-spacing: .1em; margin-right: 1.5mm; }}
h1 {{ font-size: 15pt; line-height: 1.22; margin: 3.2mm 0 1mm; font-weight: 700; }}
h2 {{ font-size: 11pt; font-weight: 750; margin-bottom: 1mm; }}
.finding {{ font-size: 13pt; font-weight: 650; line-height: 1.25; color: {_INK.with_person}; }}
.settings {{ display: flex; flex-wrap: wrap; gap: 1mm 9mm; margin-top: 2mm; }}
.settings dt {{ font-size: 8.6pt; color: {_INK.muted}; }}
.settings dd {{ font-size: 12pt; font-weight: 700; line-height: 1.2; }}
code {{ font-family: ui-monospace, "DejaVu Sans Mono", "Liberation Mono", monospace; font-size: .88em;
  unicode-bidi: isolate; background: #f1f3f6; padding: 0 .25em; border-radius: 2pt; }}
section {{ border-top: .8pt solid #9aa4b1; margin-top: 2.6mm; padding-top: 1.9mm; }}
.thin {{ border-top: 0; margin-top: 0; padding-top: 0; }}
.columns {{ display: flex; gap: 7mm; }}
figure {{ flex: 1 1 0; min-width: 0; }}
figure.wide {{ flex: 1.35 1 0; }}
figcaption {{ font-size: 9pt; color: {_INK.muted}; margin-bottom: 1mm; }}
figcaption b {{ display: block; font-size: 10.5pt; color: {_INK.text}; }}
.picture {{ width: 100%; height: auto; display: block; }}
.picture text {{ font-family: inherit; }}
.note {{ color: {_INK.muted}; font-size: 9pt; margin-top: .8mm; }}
.odds {{ display: flex; gap: 4mm; margin-top: 1mm; }}
.odds > div {{ display: flex; gap: 2mm; align-items: center; flex: 1; }}
.odds p {{ font-size: 8.8pt; line-height: 1.25; color: {_INK.muted}; }}
.odds b {{ display: block; font-size: 13pt; line-height: 1.1; color: {_INK.attacker}; }}
.dots {{ width: 17mm; height: 17mm; flex: none; display: block; }}
ul {{ padding-left: 4.4mm; }}
li {{ margin-bottom: .7mm; }}
section p + p {{ margin-top: 1.2mm; }}
table {{ border-collapse: collapse; width: 100%; font-size: 9pt; line-height: 1.3; }}
caption {{ text-align: left; color: {_INK.muted}; font-size: 9pt; padding-bottom: .8mm; }}
th, td {{ text-align: left; vertical-align: top; padding: .8mm 2.4mm .8mm 0; border-top: .5pt solid #c5ccd5; }}
thead th {{ border-top: 0; color: {_INK.muted}; font-weight: 600; font-size: 8.8pt; }}
tbody tr:first-child > * {{ border-top: .8pt solid {_INK.text}; }}
th:last-child, td:last-child {{ padding-right: 0; }}
.number {{ text-align: right; font-variant-numeric: tabular-nums; }}
.marked > * {{ background: #eef4f9; font-weight: 700; }}
.facts th {{ width: 41mm; font-weight: 650; }}
.questions, .otherwise {{ table-layout: fixed; }}
.questions th:first-child {{ width: 9mm; }}
.questions th:nth-child(3) {{ width: 18%; }}
.questions th:nth-child(4) {{ width: 25%; }}
.questions th:nth-child(5) {{ width: 15%; }}
.otherwise th:first-child {{ width: 15%; }}
.clamped {{ display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }}
h1.clamped {{ -webkit-line-clamp: 3; }}
.line {{ white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }}
.dense {{ font-size: 8.9pt; line-height: 1.3; }}
.dense h1 {{ font-size: 12.5pt; margin-top: 2.2mm; -webkit-line-clamp: 2; }}
.dense .finding {{ font-size: 11.5pt; }}
.dense table {{ font-size: 8.5pt; line-height: 1.25; }}
.dense th, .dense td {{ padding-block: .5mm; }}
.dense section {{ margin-top: 2mm; padding-top: 1.4mm; }}
.dense .picture {{ max-height: 33mm; }}
.dense footer {{ margin-top: 2.4mm; }}
footer {{ border-top: 2.2pt solid {_INK.text}; margin-top: 4mm; padding-top: 1.6mm; font-size: 8.8pt;
  line-height: 1.35; }}
footer dl {{ display: flex; gap: 6mm; margin-top: 1mm; color: {_INK.muted}; }}
footer dl div {{ display: flex; gap: 1.5mm; }}
.not {{ font-weight: 600; }}
@media screen and (max-width: 640px) {{
  body {{ padding: 3mm; font-size: 12pt; }}
  header, .columns {{ display: block; }}
  .about {{ text-align: left; margin-top: 1mm; }}
  figure + figure {{ margin-top: 4mm; }}
  .clamped, .dense .clamped {{ display: block; }}
  .line {{ white-space: normal; }}
  .facts th {{ width: 26mm; }}
  .questions {{ font-size: 8.6pt; }}
}}
"""
