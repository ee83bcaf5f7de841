"""A law that holds in many cheap cases: one test that goes through them all, since each test costs more than a case."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

Law = Callable[..., None]


def each(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Law], Law]:
    """In place of `pytest.mark.parametrize` where a case is cheap and needs no fixture; the first failing is named."""
    together = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else names
    given = [dict(zip(together, (case,) if len(together) == 1 else case, strict=True)) for case in cases]
    if not given:
        raise ValueError(names)

    def over_all(law: Law) -> Law:
        signature = inspect.signature(law)

        @wraps(law)
        def test(**others: object) -> None:
            for case in given:
                try:
                    law(**others, **case)
                except BaseException as failure:
                    failure.add_note(f"in the case {case!r}")
                    raise

        left = [parameter for name, parameter in signature.parameters.items() if name not in together]
        test.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return test

    return over_all
