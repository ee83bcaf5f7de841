"""How far one person can move an answer, and the sentence that says why."""

from __future__ import annotations

from dataclasses import dataclass

from dpengine.errors import InvalidParameterError, named, require_positive


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """Largest change between neighboring tables in three norms, in the unit of the answer.

    l1 >= l2 >= linf; for a single number all three are equal. `because` is a sentence for a user.
    """

    l1: float
    l2: float
    linf: float
    because: str

    def __post_init__(self) -> None:
        require_positive("l1", self.l1)
        require_positive("l2", self.l2)
        require_positive("linf", self.linf)
        slack = 1.0 + 1e-12
        if self.l1 * slack < self.l2 or self.l2 * slack < self.linf:
            raise InvalidParameterError("l2", self.l2, f"between linf {self.linf!r} and l1 {self.l1!r}")

    @classmethod
    def of_number(cls, value: float, because: str) -> Sensitivity:
        """The sensitivity of a single number, where the three norms agree."""
        return cls(l1=value, l2=value, linf=value, because=because)
