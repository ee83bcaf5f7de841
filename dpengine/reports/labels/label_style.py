"""The look of a label: black on white, ruled like the facts on a package of food, on one page of A4 or Letter."""

from __future__ import annotations

from dpengine.charts import PALETTES

_INK = PALETTES["light"]
CSS = f"""
@page {{ size: auto; margin: 9mm; }}
* {{ box-sizing: border-box; margin: 0; padding: 0; }}
html {{ color-scheme: light; background: #fff; -webkit-print-color-adjust: exact; print-color-adjust: exact; }}
body {{ font: 10pt/1.34 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  color: {_INK.text}; max-width: 186mm; margin: 0 auto; padding: 6mm 0; overflow-wrap: anywhere; }}
@media print {{ body {{ padding: 0; max-width: none; }} }}
main {{ border: 2.2pt solid #000; padding: 4mm 5mm 3.2mm; break-inside: avoid; }}
header {{ display: flex; justify-content: space-between; align-items: baseline; gap: 6mm;
  border-bottom: 1pt solid #000; padding-bottom: 1.2mm; }}
.brand {{ font-size: 27pt; font-weight: 850; letter-spacing: -.028em; line-height: 1; white-space: nowrap; }}
.about {{ text-align: right; color: {_INK.muted}; font-size: 9pt; }}
.practice {{ background: #000; color: #fff; font-weight: 700; padding: 1mm 2.5mm; margin-top: 2mm; font-size: 9pt; }}
.practice b {{ letter-spacing: .12em; margin-right: 2mm; }}
h1 {{ font-size: 14pt; line-height: 1.2; margin: 2.6mm 0 1mm; font-weight: 700; }}
h2 {{ font-size: 10pt; font-weight: 800; text-transform: uppercase; letter-spacing: .05em; margin-bottom: .8mm; }}
code {{ font-family: ui-monospace, "DejaVu Sans Mono", "Liberation Mono", monospace; font-size: .9em;
  unicode-bidi: isolate; background: #f1f3f6; padding: 0 .25em; border-radius: 2pt; }}
.answer {{ display: flex; flex-wrap: wrap; align-items: flex-end; column-gap: 7mm; }}
.value {{ font-size: 33pt; font-weight: 850; letter-spacing: -.02em; line-height: 1.05; color: {_INK.with_person}; }}
.value small {{ font-size: 14pt; font-weight: 600; letter-spacing: 0; }}
.value.long {{ font-size: 20pt; }}
.cells {{ table-layout: fixed; }}
.cells th:nth-child(2) {{ width: 24%; }}
.cells th:last-child {{ width: 40%; }}
.cells div {{ white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }}
.cells thead th {{ white-space: normal; }}
.ends {{ flex: 1 0 auto; min-width: 50mm; max-width: 100%; padding-bottom: 1mm; }}
.ends div {{ display: flex; justify-content: space-between; font-weight: 700; font-size: 11pt;
  white-space: nowrap; gap: 6mm; }}
.interval {{ width: 100%; height: 4mm; display: block; }}
.note {{ color: {_INK.muted}; font-size: 9pt; margin-top: .6mm; }}
.note strong {{ color: {_INK.text}; font-size: 11pt; }}
section {{ border-top: 5pt solid #000; margin-top: 2.4mm; padding-top: 1.6mm; }}
section.thin {{ border-top-width: 1pt; }}
.columns {{ display: flex; gap: 6mm; }}
.columns > * {{ flex: 1; min-width: 0; }}
table {{ border-collapse: collapse; width: 100%; }}
caption {{ text-align: left; color: {_INK.muted}; font-size: 9pt; padding-bottom: .5mm; }}
th, td {{ text-align: left; vertical-align: top; padding: .7mm 2mm .7mm 0; border-top: .5pt solid #9aa4b1; }}
thead th {{ border-top: 0; color: {_INK.muted}; font-weight: 600; font-size: 8.6pt; }}
tbody tr:first-child > * {{ border-top: 1pt solid #000; }}
th:last-child, td:last-child {{ padding-right: 0; }}
.number {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
.big {{ font-size: 21pt; font-weight: 850; letter-spacing: -.02em; line-height: 1.25; white-space: nowrap; }}
.big.long {{ font-size: 13.5pt; }}
.loss {{ display: flex; gap: 8mm; align-items: baseline; margin-bottom: 1.2mm; }}
.noise {{ table-layout: fixed; }}
.noise th:nth-child(2) {{ width: 27%; }}
.noise th:nth-child(n + 3) {{ width: 21%; }}
.noise th:last-child {{ width: 13%; }}
.noise .number {{ white-space: normal; }}
.loss span {{ white-space: nowrap; color: {_INK.muted}; font-size: 9pt; display: block; }}
.odds {{ display: flex; gap: 5mm; margin-top: 1mm; }}
.odds figure {{ display: flex; gap: 2mm; align-items: center; flex: 1; }}
.odds figcaption {{ font-size: 8.8pt; line-height: 1.25; color: {_INK.muted}; }}
.odds b {{ display: block; font-size: 14pt; line-height: 1.1; color: {_INK.attacker}; }}
.dots {{ width: 21mm; height: 21mm; flex: none; display: block; }}
.legend {{ list-style: none; font-size: 9pt; }}
.legend li::before {{ content: ""; display: inline-block; width: 2.6mm; height: 2.6mm; margin-right: 1.6mm;
  border: .6pt solid #000; vertical-align: -.2mm; }}
.legend .before::before {{ background: #e8a06b; }}
.legend .this::before {{ background: {_INK.attacker}; }}
.legend .left::before {{ background: #b8e3d6; }}
.bar {{ width: 100%; height: 4.4mm; display: block; border: .8pt solid #000; margin: .8mm 0; }}
.facts th {{ width: 39mm; font-weight: 700; white-space: nowrap; }}
.clamped {{ display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }}
footer {{ border-top: 5pt solid #000; margin-top: 2.4mm; padding-top: 1.4mm; font-size: 8.4pt; line-height: 1.35; }}
footer dl {{ display: grid; grid-template-columns: auto 1fr; column-gap: 3mm; }}
footer dl div {{ display: contents; }}
footer dt {{ color: {_INK.muted}; }}
footer dd {{ font-family: ui-monospace, "DejaVu Sans Mono", "Liberation Mono", monospace; font-size: 8pt; }}
.dense {{ font-size: 8.4pt; line-height: 1.24; padding-block: 2.6mm 2.2mm; }}
.dense .brand {{ font-size: 22pt; }}
.dense .note, .dense caption, .dense .legend {{ font-size: 8.2pt; }}
.dense .dots {{ width: 18mm; height: 18mm; }}
.dense section, .dense footer {{ margin-top: 1.4mm; padding-top: .9mm; border-top-width: 4pt; }}
.dense th, .dense td {{ padding-block: .35mm; }}
.dense .clamped {{ -webkit-line-clamp: 2; }}
.dense .value:not(.long) {{ font-size: 26pt; }}
.dense h1 {{ font-size: 12.5pt; margin-top: 1.6mm; }}
@media screen and (max-width: 640px) {{
  body {{ padding: 2mm; }}
  header, .columns, .odds {{ display: block; }}
  .about, .columns > * + *, figure + figure {{ text-align: left; margin-top: 2mm; }}
  .clamped {{ display: block; }}
  .facts th {{ width: 28mm; white-space: normal; }}
  .cells th:nth-child(2) {{ width: 30%; }}
}}
.not {{ font-weight: 600; margin-bottom: 1.2mm; }}
"""
