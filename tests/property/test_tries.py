"""Whatever is tried, from wherever: nobody is kept out by what others do, and a weak secret is guessed slowly."""

from __future__ import annotations

from ipaddress import IPv6Address

from hypothesis import given
from hypothesis import strategies as st

from pages.serving.curator_token import CuratorToken
from pages.serving.tries import FORGOTTEN, LONGEST_WAIT, Tries, counted_as

ADDRESSES = st.sampled_from(["", "192.0.2.7", "198.51.100.9", "2001:db8::/64"])
STEPS = st.lists(st.tuples(ADDRESSES, st.floats(0.0, 2 * FORGOTTEN)), max_size=60)
FREE = 3


def after(steps: list[tuple[str, float]], *, of: str = "", addresses: int = 10_000) -> Tries:
    """What is remembered after these tries, or those of one address alone; each with the seconds before it."""
    moment = [0.0]
    tries = Tries(free=FREE, addresses=addresses, clock=lambda: moment[0])
    for address, seconds in steps:
        moment[0] += seconds
        if not of or address == of:
            tries.wrong(address)
    return tries


@given(STEPS, st.sampled_from(["192.0.2.7", "198.51.100.9"]))
def test_nobody_waits_for_what_others_tried(steps: list[tuple[str, float]], own: str) -> None:
    alone = after(steps, of=own).wait(own)
    assert after(steps).wait(own) == alone <= LONGEST_WAIT
    assert after(steps, addresses=2).wait(own) <= alone


@given(STEPS)
def test_a_strong_token_opens_after_anything(steps: list[tuple[str, float]]) -> None:
    """And, the control, a weak one waits where it was tried wrongly a moment ago."""
    strong, weak = CuratorToken.of(None), CuratorToken.of("a-token-that-somebody-chose")
    for token in (strong, weak):
        token.tries = after([*steps, *[("192.0.2.7", 0.0)] * FREE])
    assert strong.opens(strong.secret, "192.0.2.7") == ""
    assert "Too many wrong tokens" in weak.opens(weak.secret, "192.0.2.7")


@given(st.integers(1, 200), st.floats(0.0, 5.0))
def test_one_address_guesses_about_once_a_minute_at_last(tries: int, pause: float) -> None:
    """However many are thrown, at most the free ones, those of the doubling waits and one a minute are counted."""
    moment = [0.0]
    counted, limit = 0, Tries(free=FREE, clock=lambda: moment[0])
    for _ in range(tries):
        moment[0] += pause
        counted += not limit.wrong("192.0.2.7")
    assert counted <= FREE + 7 + moment[0] / LONGEST_WAIT


@given(st.lists(st.text(max_size=5), min_size=3))
def test_memory_is_bounded(addresses: list[str]) -> None:
    tries = Tries(free=FREE, addresses=2)
    for address in addresses:
        tries.wrong(address)
    assert len(tries._wrong) <= 2


@given(st.ip_addresses(v=6), st.integers(0, 2**64 - 1))
def test_whoever_has_a_network_of_ipv6_has_one_address(address: IPv6Address, other: int) -> None:
    neighbor, further = IPv6Address(int(address) >> 64 << 64 | other), IPv6Address(int(address) ^ 1 << 64)
    if address.ipv4_mapped is None and neighbor.ipv4_mapped is None:
        assert counted_as(str(neighbor)) == counted_as(str(address))
    assert counted_as(str(further)) != counted_as(str(address))


@given(st.text())
def test_what_is_no_address_is_counted_as_unknown(text: str) -> None:
    assert counted_as(f"{text} or somewhere") == ""
    assert counted_as(None) == ""
