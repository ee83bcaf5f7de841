"""Every planted fault finds its place in today's code, and changes it into other code that can be read."""

import ast

import pytest

from tests.faults import catalog, measuring, probes, reach
from tests.faults.catalog import Fault
from tests.servers.server import ROOT

FAULTS = catalog.listed()
PACKAGES = {path.name for path in (ROOT / "dpengine").iterdir() if (path / "__init__.py").exists()} | {"pages"}
SAMPLE = '''
"""A module."""
LIMIT = 3


class Account:
    """An account."""

    def charge(self, cost: int) -> int:
        """What is left."""
        if cost > LIMIT:
            return 0
        return LIMIT - cost


def charge(cost: int) -> int: return cost
'''


def test_every_fault_has_one_place_in_todays_code():
    lost = []
    for fault in FAULTS:
        try:
            found = catalog.place(fault, ROOT)
        except LookupError as problem:
            lost.append(str(problem))
            continue
        definition = found.path.read_text(encoding="utf-8")[found.begin : found.end]
        changed = catalog.planted(fault, definition, found.offset - found.begin)
        if found.path.suffix == ".py":
            ast.parse(f"if True:\n{changed}" if changed.startswith(" ") else changed)
        assert changed != definition
    assert not lost


def test_every_package_has_faults():
    assert len(FAULTS) >= 160
    assert PACKAGES - {fault.package for fault in FAULTS} <= {"frames"}, "frames stand in the list of feasible"


def test_a_fault_that_is_none_says_why_and_is_neither_planted_nor_missed(monkeypatch, capsys):
    monkeypatch.setattr(reach, "kept", lambda: pytest.fail("something is to be planted"))
    none = [fault for fault in FAULTS if fault.no_fault]
    assert none
    assert all(fault.no_fault.endswith(".") for fault in none)
    assert measuring.main([fault.name for fault in none]) == 0
    said = capsys.readouterr().out
    assert [line for line in said.splitlines() if line.startswith("no fault ")] == [
        f"no fault {fault.name}: {fault.no_fault}" for fault in none
    ]
    assert "0 of 0 faults caught" in said


@pytest.fixture
def checkout(tmp_path):
    for folder in catalog.CODE:
        (tmp_path / folder).mkdir()
    (tmp_path / "dpengine" / "account.py").write_text(SAMPLE, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("function", "text", "line"),
    [
        ("Account.charge", "cost > LIMIT", 11),
        ("charge", "return cost", 16),
        ("LIMIT", "3", 3),
        ("Account", "LIMIT - cost", 13),
    ],
)
def test_a_fault_is_found_by_its_function_and_its_text(checkout, function, text, line):
    found = catalog.place(Fault(name="one", function=function, text=text, becomes=""), checkout)
    assert found.path.read_text(encoding="utf-8")[: found.offset].count("\n") + 1 == line


@pytest.mark.parametrize(("function", "text"), [("charge", "cost"), ("charge", "debt"), ("refund", "cost")])
def test_a_fault_that_fits_nowhere_or_twice_is_refused(checkout, function, text):
    with pytest.raises(LookupError, match="one: "):
        catalog.place(Fault(name="one", function=function, text=text, becomes=""), checkout)


def test_a_probe_leaves_a_function_as_it_was(checkout):
    faults = [Fault(name=name, function=name, text="cost: int", becomes="") for name in ("Account.charge",)]
    probes.insert(faults, checkout)
    text = (checkout / "dpengine" / "account.py").read_text(encoding="utf-8")
    assert text.count('.seen(["Account.charge"])'.replace('"', "'")) == 1
    names: dict[str, object] = {}
    exec(compile(text.replace("dpengine.probe_of_faults", "tests.faults.probe"), "account", "exec"), names)  # noqa: S102
    account = names["Account"]()  # type: ignore[operator]
    assert [account.charge(1), account.charge(4)] == [2, 0]
    assert account.charge.__doc__ == "What is left."
