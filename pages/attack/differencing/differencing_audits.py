"""Why an auditor who checks the questions does not help: rules are kept, and a secret is told all the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpengine.attacks import Denial, Evasion, denial, grid, pair, tracker
from dpengine.data import sample_frame
from pages.lesson.lesson import Shown

SIZE, LEAST, TRAIT = 10, 20, "diabetes"
SOURCES = (
    "Trackers: Schlörer 1975; Denning, Denning and Schwartz 1979. Limits on what questions share: Dobkin, Jones "
    "and Lipton 1979. Refusals that reveal: Kenthapadi, Mishra and Nissim 2013. To find out in general whether exact "
    "counts settle a yes or no is coNP-hard."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gallery:
    """Three ways around three rules, all about one invented patient, and a refusal that tells."""

    name: str
    pair: Evasion
    tracker: Evasion
    grid: Evasion
    denial: Denial
    ages: tuple[str, str, str]


def shown() -> Shown:
    """The gallery as a table, then the refusal, then how hard it is in general."""
    found = _gallery()
    st.markdown(
        f"Does {found.name} have {TRAIT}? In each row the questions obey the rule, and still reveal the secret.\n\n"
        "| the auditor’s rule | questions | people in each | two share at most | secret revealed |\n"
        "|---|---|---|---|---|\n"
        f"| no small counts: {LEAST} people or more | {_row(found.pair)} |\n"
        f"| no facts that single somebody out (asked: one zip, then that zip without one birth date: a tracker) | "
        f"{_row(found.tracker)} |\n"
        f"| no two questions share more than one person | {_row(found.grid)} |"
    )
    last = found.ages[2]
    st.markdown(
        f"**A refusal reveals something, too.** “How old is the oldest of {', '.join(found.ages[:2])} and {last}?” "
        f"{found.denial.largest}. “And of the first two?” Refused. So the oldest is {last}, who is **"
        f"{found.denial.told}**: had it been one of the others, the auditor would have answered, because nothing would "
        "have been given away. Only a rule that ignores the true answer can refuse and reveal nothing.\n\n"
        "**And auditing is hard.** No fast method is known that finds out in general whether exact counts already "
        "settle somebody’s yes or no, and none is expected. And no auditor knows what else the asker "
        "knows."
    )
    return Shown(finding=f"Three rules are obeyed, and each time {found.name}’s secret is revealed", computed=SOURCES)


def _row(evasion: Evasion) -> str:
    sizes = (
        f"{evasion.smallest:,}"
        if evasion.smallest == evasion.largest
        else (f"{evasion.smallest:,} to {evasion.largest:,}")
    )
    return f"{len(evasion.questions)} | {sizes} | {evasion.most_shared:,} | **{'yes' if evasion.told else 'no'}**"


@st.cache_data(max_entries=1)
def _gallery() -> Gallery:
    frame = sample_frame("patients")
    trait = (frame["disease"] == TRAIT).to_numpy()
    zips, births = frame["zip"].to_numpy(), frame["date_of_birth"].to_numpy()
    person = int(np.flatnonzero(trait)[0])
    ages, names = frame["age"].astype(int).tolist(), [str(name).split()[0] for name in frame["name"]]
    order = sorted(range(3), key=ages.__getitem__)
    return Gallery(
        name=names[person],
        pair=pair(trait, person=person),
        tracker=tracker(trait, person=person, wide=zips == zips[person], narrow=births == births[person]),
        grid=grid(trait, person=person, size=SIZE),
        denial=denial([ages[place] for place in order]),
        ages=(names[order[0]], names[order[1]], names[order[2]]),
    )
