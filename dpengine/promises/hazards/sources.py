"""Where the hazards were read: only texts that were opened, each with the part that speaks of it.

Of NIST's guidelines that is the draft of December 2023, whose sections are cited; the final text was not opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from dpengine.deployments import SourcePage
from dpengine.errors import require_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class HazardSource:
    """A page, and the section of it that names a hazard or says what to do about it."""

    page: SourcePage
    section: str

    def __post_init__(self) -> None:
        require_fields(self)

    @property
    def cited(self) -> str:
        """Title and section, as in a list of references."""
        return f"{self.page.title}, {self.section}"


def _read(title: str, publisher: str, place: str, section: str) -> HazardSource:
    return HazardSource(page=SourcePage(title=title, publisher=publisher, place=place), section=section)


def _nist(section: str) -> HazardSource:
    title = "NIST SP 800-226, initial public draft, December 2023"
    publisher = "National Institute of Standards and Technology"
    return _read(title, publisher, "doi.org/10.6028/NIST.SP.800-226.ipd", f"section {section}")


def _tumult(heading: str) -> HazardSource:
    edition = "6e79751d0dfd1434ff3994961dd543328c611e54"
    place = f"github.com/opendp/tumult-analytics/blob/{edition}/doc/topic-guides/privacy-promise.rst"
    return _read("Tumult's privacy promise", "Tumult Labs", place, heading)


def _google(heading: str) -> HazardSource:
    edition = "ddce85053548d276a0e72368784508bd4d130dc8"
    place = f"github.com/google/differential-privacy/blob/{edition}/common_docs/attack_model.md"
    return _read("Differential privacy libraries: attack model", "Google", place, heading)


def _opendp_limits() -> HazardSource:
    edition = "848fc4d38122baabe72fcbf86fcc4dc83a3f4608"
    place = f"github.com/opendp/opendp/blob/{edition}/docs/source/api/user-guide/limitations.rst"
    return _read("OpenDP Library: limitations", "OpenDP", place, "Privacy Concerns")


SOURCES: Mapping[str, tuple[HazardSource, ...]] = MappingProxyType(
    {
        "unit": (
            _nist("2.4, The Unit of Privacy"),
            _tumult("Understanding the protected change"),
            _read(
                "Defining the Trust Model",
                "OpenDP",
                "registry.opendp.org/trust-models",
                "Event, Group and Entity Privacy",
            ),
        ),
        "refill": (
            _nist("2.4, Choosing a Unit of Privacy"),
            _nist("2.2, The Privacy Parameter ε"),
            _read(
                "Privacy Loss in Apple's Implementation of Differential Privacy on MacOS 10.12",
                "Tang, Korolova, Bai, Wang, Wang 2017",
                "www.arxiv-vanity.com/papers/1709.02753/",
                "abstract",
            ),
        ),
        "delta": (
            _nist("2.3, (ε,δ)-Differential Privacy and Catastrophic Failure"),
            _nist("2.3, Converting Guarantees for Interpretability"),
            _read(
                "Differential privacy: why δ negligible on the row numbers?",
                "Cryptography Stack Exchange",
                "crypto.stackexchange.com/questions/44299/",
                "answer by Ted",
            ),
            _read(
                "Programming Differential Privacy",
                "Near, Abuah",
                "github.com/uvm-plaid/programming-dp/blob/3b1d87091bef5e1820a339ee545e0ab99f2cd7df/_sources/ch6.ipynb",
                "chapter 6, Approximate Differential Privacy",
            ),
        ),
        "contribution": (
            _nist("2.4, Transforming the Unit of Privacy: Bounding Contributions"),
            _read(
                "Differential Privacy",
                "Google",
                "github.com/google/differential-privacy/blob/60605f52f286d8bbf7dd4a6b2cbaca0f0fa29594/"
                "differential_privacy.md",
                "Key definitions",
            ),
            _google("Non-Goals"),
        ),
        "exact": (
            _nist("2.6, Mixing Differential Privacy With Other Data Releases"),
            _read(
                "Formal Privacy Guarantees with Invariant Statistics",
                "Cho, Awan 2024",
                "arxiv.org/html/2410.17468v1",
                "abstract",
            ),
        ),
        "floats": (
            _nist("4.3, Floating-Point Arithmetic"),
            _opendp_limits(),
            _read(
                "Tiny bits matter: precision-based attacks on differential privacy",
                "Tumult Labs",
                "www.tmlt.io/resources/tiny-bits-matter-precision-based-attacks-on-differential-privacy",
                "the whole page",
            ),
        ),
        "chosen": (
            _nist("3.4.2, Key Takeaway"),
            _nist("3.4.1, Histograms"),
            _tumult("Subtlety 1"),
            _read(
                "Hyperparameter Tuning with Renyi Differential Privacy",
                "Papernot, Steinke 2022",
                "paperswithcode.com/paper/hyperparameter-tuning-with-renyi-differential",
                "abstract",
            ),
        ),
        "local": (
            _nist("4.2.2, Local Model"),
            _nist("4.2.3, Future Directions: Shuffle and Secure Computation Models"),
            _read(
                "Amplification by Shuffling: From Local to Central Differential Privacy via Anonymity",
                "Erlingsson, Feldman, Mironov, Raghunathan, Talwar, Thakurta 2019",
                "ar5iv.org/html/1811.12469",
                "abstract",
            ),
        ),
        "bias": (
            _nist("3.3.3, Statistical Bias"),
            _nist("3.3.2, Human Bias"),
            _read(
                "Disclosure Avoidance and the 2020 Census: What Do Researchers Need to Know?",
                "Harvard Data Science Review",
                "hdsr.mitpress.mit.edu/pub/tgi3gol2",
                "abstract",
            ),
        ),
        "groups": (
            _nist("3.3.1, Systemic Bias"),
            _nist("3.4.1, Utility"),
            _read(
                "Decision Making with Differential Privacy under a Fairness Lens",
                "Fioretto, Tran, Van Hentenryck 2021",
                "ar5iv.labs.arxiv.org/html/2105.07513",
                "abstract",
            ),
        ),
        "raw": (
            _nist("4.4, Data Security and Access Control"),
            _nist("4.5, Data Collection Exposure"),
            _google("Attack Model"),
            _read(
                "Threat Models for Differential Privacy",
                "National Institute of Standards and Technology",
                "nist.gov/blogs/cybersecurity-insights/threat-models-differential-privacy",
                "the whole page",
            ),
        ),
        "channels": (
            _nist("4.3, Timing Channels"),
            _nist("4.3, Backend Issues"),
            _tumult("Subtlety 2"),
            _opendp_limits(),
            _google("Side channels"),
        ),
        "epsilon": (_nist("2.2, The Privacy Parameter ε"),),
        "trust": (
            _nist("4.2, Threat Models"),
            _read("Defining the Trust Model", "OpenDP", "registry.opendp.org/trust-models", "the whole page"),
        ),
        "checks": (_nist("3, Differentially Private Algorithms"), _nist("2.3, Converting Guarantees")),
    }
)
"""Key of a hazard -> where it was read, NIST's sections first."""
