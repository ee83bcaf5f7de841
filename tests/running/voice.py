"""Words that are gone from whatever a person reads; docs/voice.md says what is said instead."""

from __future__ import annotations

import re
from functools import cache

RETIRED = (
    r"(?<!10)\d\*{0,2} of 100\b",
    r"\bso many of 100\b",
    r"\b(?:57\.4|62\.2|73\.1)\b(?=\*{0,2}(?:%| out of 100| and [\d.]+ out of))",
    r"\d[\s\u00a0\u202f]%",
    r"\bby lot\b",
    r"\bwhoever\b",
    r"\bso many\b",
    r"\bdear(?:er)?\b",
    r"\bways of adding up\b",
    r"\bonly adding\b",
    r"\badvanced adding\b",
    r"\bbasic rule\b",
    r"\bthere or not\b",
    r"\bexchanged\b",
    r"\bnobody more\b",
    r"\bbest attacker of all\b",
    r"\bsecret bits?\b",
    r"\bas far as epsilon says\b",
    r"\bwords on this page\b",
    r"\byour plan['’]s rule\b",
    r"\bwho was asked\b",
    r"\bhold this\b",
    r"\banother day\b",
    r"\badvanced, sound\b",
    r"\bexact loss of this noise\b",
    r"\bone person['’]s width\b",
    r"\bmore like the last\b",
    r"\bask the whole list\b",
    r"\bspeaks? for you being in\b",
    r"\bthe chance that the promise fails\b",
    r"\bbasic\b(?! composition)",
    r"(?<!add/remove, )\bunbounded\b",
    r"\bmoves (?:it|the \w+) by\b",
)
_ANY = re.compile("|".join(RETIRED), re.IGNORECASE)
AROUND = 30


@cache
def retired(text: str) -> list[str]:
    """Each retired word of a text, with what stands around it."""
    return [text[max(0, found.start() - AROUND) : found.end() + AROUND] for found in _ANY.finditer(text)]
