"""Every word of art that pages use, one sentence each, in themes that lead to the pages which show them."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpengine.errors import InvalidParameterError


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A term of art and its one sentence; `shown_as` are the words by which pages say it, the term itself or plainer.

    `theme` is a key of THEMES; `also` are the names by which others call it.
    """

    name: str
    meaning: str
    theme: str
    shown_as: tuple[str, ...]
    also: tuple[str, ...] = ()

    def shown_in(self, text: str) -> bool:
        """Whether a text says it, capitals or not."""
        lowered = text.casefold()
        return any(words.casefold() in lowered for words in self.shown_as)


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """A group of terms, and the pages for everybody that show what they mean: `learn/definition`."""

    title: str
    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Glossary:
    """Themes and terms by name, in their order, and the terms that each page uses, in the order of the page."""

    themes: Mapping[str, Theme]
    terms: Mapping[str, Term]
    words: Mapping[str, tuple[str, ...]]

    @classmethod
    def read(cls, text: str) -> Glossary:
        """What a TOML file says; raises InvalidParameterError where it says something else, or something twice."""
        said = tomllib.loads(text)
        _require_keys(said, {"themes", "words"})
        themes, terms = dict[str, Theme](), dict[str, Term]()
        for key, theme in said["themes"].items():
            _require_keys(theme, {"title", "pages", "terms"})
            themes[key] = Theme(title=_text(theme, "title"), pages=_texts(theme, "pages"))
            for term in (_term(one, key) for one in theme["terms"]):
                if terms.setdefault(term.name, term) is not term:
                    raise InvalidParameterError("a term", term.name, "explained once")
        words = {page: _texts(said["words"], page) for page in said["words"]}
        if unknown := {word for used in words.values() for word in used} - terms.keys():
            raise InvalidParameterError("the words of a page", sorted(unknown), "terms of a theme")
        return cls(themes=themes, terms=terms, words=words)


def _term(said: Mapping[str, Any], theme: str) -> Term:
    _require_keys({"shown_as": [], "also": [], **said}, {"name", "meaning", "shown_as", "also"})
    name = _text(said, "name")
    shown_as = _texts(said, "shown_as") if "shown_as" in said else (name,)
    also = _texts(said, "also") if "also" in said else ()
    return Term(name=name, meaning=_text(said, "meaning"), theme=theme, shown_as=shown_as, also=also)


def _text(said: Mapping[str, Any], key: str) -> str:
    if not isinstance(said[key], str) or not said[key]:
        raise InvalidParameterError(key, said[key], "a text")
    return str(said[key])


def _texts(said: Mapping[str, Any], key: str) -> tuple[str, ...]:
    if not isinstance(said[key], list) or not said[key] or not all(isinstance(one, str) for one in said[key]):
        raise InvalidParameterError(key, said[key], "a list of texts")
    return tuple(said[key])


def _require_keys(said: Mapping[str, Any], keys: Collection[str]) -> None:
    if said.keys() != set(keys):
        raise InvalidParameterError("a part of the glossary", sorted(said), f"made of {', '.join(sorted(keys))}")


_READ = Glossary.read(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
TERMS, THEMES, WORDS = _READ.terms, _READ.themes, _READ.words


def found(search: str) -> tuple[Term, ...]:
    """The terms in which all words of a search occur, in a name or the sentence; all of them for an empty search."""
    wanted = search.casefold().split()
    return tuple(
        term
        for term in TERMS.values()
        if all(word in " ".join((term.name, term.meaning, *term.shown_as, *term.also)).casefold() for word in wanted)
    )
