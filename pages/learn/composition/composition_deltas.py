"""The step on delta: what the answers bring of their own, and what advanced composition needs beside it."""

from __future__ import annotations

import numpy as np

from dpengine.accounting import composed_delta
from dpengine.charts import Chart
from dpengine.charts.tables import line_charts
from dpengine.charts.tables.line_charts import Line, LineView
from dpengine.formatting import at_most, tiny, tiny_at_most
from pages.learn.composition.composition_settings import KEY, MOST, NOISES, epsilon_and_repetition
from pages.lesson import pickers
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import Shown, picture_and_words
from pages.phrasing import rules
from pages.widgets import outputs

OWN = (1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6)


def own_deltas() -> Shown:
    """Answers with a delta each: these add up, and the one that advanced needs comes on top."""
    _, repetition = epsilon_and_repetition(NOISES["A coin-flipped answer"], key=f"{KEY}_own")
    place, words = picture_and_words(f"{KEY}_own")
    each = pickers.stop(words, "δ of each answer", OWN, key=f"{KEY}_own_delta", start=1e-8, written=tiny)
    count, slack = repetition.chosen, repetition.delta
    own, together = (float(composed_delta(count, each=each, slack=one)) for one in (0.0, slack))
    picture = _picture(count, each, slack)
    outputs.chart(place, picture, key=f"{KEY}_own_chart")
    words.markdown(
        "Some noise, like Gaussian noise, gives each answer a δ of its own beside its ε. They add up: "
        f"{count:,} × {tiny(each)} = {tiny_at_most(own, 3)}. Advanced uses another δ, for rare large sums of hints: "
        f"{tiny(slack)}, the one above.\n\n"
        f"**All together: ε = {at_most(repetition.at_chosen['advanced'])} with δ = {tiny_at_most(together, 3)}.** Keep "
        "that far below 1 over the number of people."
    )
    finding = f"{count:,} answers: δ is {tiny_at_most(together, 3)} together, not {tiny(slack)}"
    return Shown(finding=finding, pictures=(picture,), computed=rules.COMPUTED)


def _picture(count: int, each: float, slack: float) -> Chart:
    """Both parts of delta and their sum, over the number of answers; without a slack the sum is the answers' own."""
    palette = outputs.palette()
    answers = np.union1d(np.geomspace(1, MOST, 120).round(), [count])
    parts = (
        ("all together", each, slack, palette.text, "solid"),
        ("of the answers", each, 0.0, palette.attacker, "solid"),
        ("of advanced", 0.0, slack, palette.advanced, "dash"),
    )
    drawn = [
        Line(
            label=label,
            values=composed_delta(answers, each=own, slack=free),
            here=float(composed_delta(count, each=own, slack=free)),
            color=color,
            dash=dash,
        )
        for label, own, free, color, dash in (parts if slack else parts[:1])
    ]
    view = LineView(at=answers, x_title="answers published", y_title="δ", here=float(count))
    return line_charts.lines(view, drawn, palette)


OF_ITS_USE = Check(
    question="A plan has 300 counts with Laplace noise, each with ε = 0.1, and δ = 10⁻⁶ in its budget. Somebody sets "
    "δ to 10⁻⁹. What changes?",
    answers=(
        Answer(
            text="Each count gets more noise.",
            feedback="Laplace noise keeps its promise with ε alone: no count changes. Gaussian noise would grow.",
        ),
        Answer(
            text="Only what rules such as advanced say of all counts together: ε is larger.",
            feedback="Advanced needs a δ for rare large sums: at 10⁻⁶ the counts cost at most 10.7 together, at 10⁻⁹ "
            "at most 12.7. Naive says 30 for both, as it uses none.",
            right=True,
        ),
        Answer(
            text="Nothing at all.",
            feedback="Nothing in the noise, and nothing by the naive rule. But advanced uses δ for all counts "
            "together.",
        ),
    ),
)
