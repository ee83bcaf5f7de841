"""The step on privacy in the wider sense: four questions, of which noise settles one."""

from __future__ import annotations

from dataclasses import dataclass

from pages.lesson.drawings import SmallTable, side_by_side
from pages.lesson.lesson import Shown, choice, picture_and_words
from pages.widgets import outputs

KEY = "definition"


@dataclass(frozen=True, slots=True, kw_only=True)
class PartOfPrivacy:
    """One part of a wider privacy: who decides it, what noise changes about it, and that in a finding and in words."""

    decides: str
    noise: str
    finding: str
    words: str


PARTS = {
    "To what extent?": PartOfPrivacy(
        decides="the curator, by ε",
        noise="limits what results reveal",
        finding="Noise limits to what extent results reveal you, nothing else",
        words="This part is the promise: whatever a reader knows already, your data changes the chance of any result "
        "by no more than ε allows.",
    ),
    "When?": PartOfPrivacy(
        decides="the curator",
        noise="nothing",
        finding="When results appear, noise does not decide: published stays published",
        words="The curator decides when to publish. No result can be called back: deleting your row later changes "
        "nothing that is out. A spent budget only ends further questions.",
    ),
    "How?": PartOfPrivacy(
        decides="the curator",
        noise="results are noisy, uses stay open",
        finding="How your data is used, noise leaves open",
        words="What is published carries noise. For which purpose results are used, and what insiders do with your "
        "row, the promise does not say. That takes rules, and security.",
    ),
    "Who decides?": PartOfPrivacy(
        decides="not you",
        noise="nothing",
        finding="Nobody has to ask you: noise is no consent",
        words="The promise also covers people who never agreed. Consent, and a way to be left out, are duties of "
        "their own. You decide where you add the noise yourself (local privacy).",
    ),
}


def wider_privacy() -> Shown:
    """Which parts of the right to decide on one's own data the promise covers."""
    asked = choice("Which part of privacy?", list(PARTS), key=f"{KEY}_part")
    place, words = picture_and_words(f"{KEY}_wider", picture=1.4)
    table = SmallTable(
        heading="What others learn about you",
        columns=("question", "who decides", "what noise changes"),
        rows=[(name, part.decides, part.noise) for name, part in PARTS.items()],
        marked=(list(PARTS).index(asked),),
    )
    side_by_side(place, [table], outputs.palette())
    words.markdown(
        "Privacy can mean more: your own say in when, how and to what extent others learn about you "
        f"(informational self-determination).\n\n{PARTS[asked].words}"
    )
    return Shown(finding=PARTS[asked].finding, computed=SOURCE)


SOURCE = (
    "Privacy as the right to determine for oneself when, how and to what extent information about oneself is "
    "communicated to others: Westin 1967, taken up for databases by Agrawal and others 2003. Differential privacy is "
    "a property of how results are made; it knows neither consent nor deletion nor purpose."
)
