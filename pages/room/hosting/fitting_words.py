"""How many questions of how many people fit, in one sentence."""

from __future__ import annotations

from dpengine.workshop import Fitting


def sentence(fits: Fitting) -> str:
    """What the budget holds, together and for each person, at the prices of the list."""
    least = "" if fits.alike else "at least "
    if not fits.together:
        return "The budget holds not even one question: the first is refused."
    together = f"The budget holds {least}**{_questions(fits.together)}**"
    if fits.each is None:
        return f"{together}, no matter who asks. {_seen(fits)}"
    if not fits.each:
        return f"{together}, but the cap does not hold the one that costs most."
    people = "one person" if fits.people == 1 else f"{fits.people:,} people"
    return (
        f"{together}. Each person may ask {least}**{fits.each:,}**: with **{people}** or fewer, caps stop everybody "
        f"before the budget itself refuses. {_seen(fits)}"
    )


def _seen(fits: Fitting) -> str:
    """Whether the projector will show two lines or one."""
    if fits.parts is None:
        return (
            "With this few questions the projector’s two lines, naive and advanced, lie on one another. With many at a "
            "smaller ε they part."
        )
    return f"From question **{fits.parts:,}** on, advanced costs clearly less than naive."


def _questions(count: int) -> str:
    return "1 question" if count == 1 else f"{count:,} questions"
