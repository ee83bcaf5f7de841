"""Whether a column of whole numbers looks as if it names people, by its name or by its values; a person decides."""

from __future__ import annotations

import re
from collections.abc import Sequence

CATEGORIES = 20
"""So many different values, or fewer, are rather a column's categories than its people."""
_WHOLE = re.compile(r"([0-9]+)(?:\.0+)?")
_RARELY = 3.0
_OLDEST = 120
_THOUSANDS = 1000
_LONG = 6
"""Digits of a number that is longer than a zip code."""
_ROUND = 1 / 3
_YEARS = range(1800, 2101)
_DAY = re.compile("(1[89]|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])")
_PEOPLE = frozenset(
    (
        *("person", "patient", "client", "customer", "member", "user", "subject", "respondent", "participant"),
        *("employee", "student", "pupil", "household", "donor", "taxpayer", "citizen", "insured", "account", "case"),
        *("kunde", "kundin", "patientin", "mitglied", "mitarbeiter", "personal", "versicherter", "teilnehmer"),
        *("proband", "nutzer", "benutzer", "schüler", "schueler", "bürger", "haushalt", "konto", "fall", "akte"),
        *("personne", "salarié", "salarie", "élève", "eleve", "assuré", "assure", "adhérent", "adherent", "abonné"),
        *("usager", "ménage", "menage", "compte", "dossier", "persona", "paciente", "cliente", "empleado", "alumno"),
        *("usuario", "socio", "afiliado", "hogar", "cuenta", "expediente"),
    )
)
_CODES = frozenset(
    (
        *("id", "ids", "pid", "uid", "uuid", "guid", "ssn", "mrn", "nhs", "key", "code", "identifier", "passport"),
        *("kennung", "kennzeichen", "schlüssel", "schluessel", "ausweis", "matrikel", "aktenzeichen"),
        *("identifiant", "matricule", "clé", "cle", "nir", "numéro", "numero", "número", "identificador", "clave"),
        *("código", "codigo", "dni", "nif", "nie", "cédula", "cedula"),
    )
)
_NUMBERS = frozenset(("nr", "no", "num", "number", "nummer"))
"""What the last word of a name may be: number_of_visits and num_visits are counts."""
_JOINED = re.compile(
    rf".*({'|'.join(sorted(_PEOPLE))}|kunden|patienten|cust|emp|subj|pat|stud|resp)(id|no|num|key|code)s?"
    r"|.+(nr|nummer|number|kennung|schlüssel|schluessel)"
)
_MEASURES = frozenset(
    (
        *("age", "year", "years", "amount", "price", "cost", "costs", "income", "salary", "wage", "balance", "total"),
        *("sum", "size", "count", "days", "weight", "height", "score"),
        *("jahr", "jahre", "größe", "tage", "guthaben"),
        *("âge", "année", "annee", "montant", "prix", "coût", "cout", "revenu", "salaire", "solde", "nombre", "jours"),
        *("taille", "poids", "edad", "año", "monto", "importe", "precio", "costo", "ingreso", "ingresos", "sueldo"),
        *("salario", "cantidad", "peso", "días", "dias"),
    )
)
"""Words that tell a number about people from one that names them, such as a patient's age."""
_PLACES = frozenset(("zip", "postal", "postcode", "house", "street", "plz", "postleitzahl", "hausnummer", "hausnr"))
"""Likewise, such as a customer's zip code, which is no measure either."""
_MEASURED = re.compile(".*(alter|betrag|preis|kosten|einkommen|gehalt|umsatz|summe|anzahl|gewicht|saldo)")
"""German joins words, the measure last."""


def names_a_measure(name: str) -> bool:
    """Whether a column's name says that its numbers are about people, and so are not their names.

    >>> names_a_measure("Alter"), names_a_measure("patient_age"), names_a_measure("patient")
    (True, True, False)
    """
    return any(map(_is_measure, _words(name)))


def may_name_people(name: str, cells: Sequence[str]) -> bool:
    """Whether the numbers may be people's: many, whole, and under such a name, or as numbers are given out.

    >>> may_name_people("Kundennr", [str(1 + i % 30) for i in range(60)])
    True
    """
    numbers = [_WHOLE.fullmatch(cell) for cell in cells if re.search("[0-9]", cell)]
    values = {number[1] for number in numbers if number}
    words = _words(name)
    if len(values) <= CATEGORIES or not all(numbers) or names_a_measure(name) or _PLACES & set(words):
        return False
    return _is_name_of_people(words) or _are_given_out(values, len(numbers))


def _words(name: str) -> list[str]:
    apart = re.sub(r"(?<=[^\W\d_A-ZÀ-Þ])(?=[A-ZÀ-Þ])", " ", name)
    return [word.lower() for word in re.findall(r"[^\W\d_]+", apart)]


def _is_measure(word: str) -> bool:
    return word in _MEASURES or _MEASURED.fullmatch(word) is not None


def _is_name_of_people(words: Sequence[str]) -> bool:
    known = any(word in _PEOPLE or word in _CODES or _JOINED.fullmatch(word) for word in words)
    return known or bool(set(words[-1:]) & _NUMBERS)


def _are_given_out(values: set[str], cells: int) -> bool:
    """Whether hardly any repeats, and they follow on one another or are long and of one length.

    Ages, years, days and sums of money do not; zip codes are too short.
    """
    numbers = sorted(map(int, values))
    least, most = numbers[0], numbers[-1]
    if cells > _RARELY * len(values) or most <= _OLDEST or (least in _YEARS and most in _YEARS):
        return False
    following = len(numbers) > (most - least) / 2 and (least <= 1 or least >= _THOUSANDS)
    lengths = {len(value) for value in values}
    tens = sum(number % 10 == 0 for number in numbers)
    long = len(lengths) == 1 and min(lengths) >= _LONG and tens <= _ROUND * len(numbers)
    return (following or long) and not all(map(_DAY.fullmatch, values))
