"""The curator's token: long, and tried under a limit that no stranger can turn against its owner."""

from __future__ import annotations

import pytest

from pages.serving import curator_token
from pages.serving.curator_token import CuratorToken
from pages.serving.tries import Tries

CHOSEN = "a-token-that-somebody-chose"
LONG = "a token that somebody chose, and long"
HERE, ELSEWHERE = "192.0.2.7", "198.51.100.9"


def test_a_new_token_is_long_and_another_one_each_time() -> None:
    token, other = CuratorToken.of(None), CuratorToken.of(None)
    assert len(token.secret) >= 32
    assert token.secret != other.secret
    assert token.said().count(token.secret) == 1
    assert token.secret not in repr(token)
    assert token.opens(f" {token.secret}\n", HERE) == ""
    assert "not the token" in token.opens(other.secret, HERE)


def test_space_around_a_chosen_token_does_not_count() -> None:
    assert CuratorToken.of(f"  {CHOSEN}\n").opens(CHOSEN, HERE) == ""
    assert CuratorToken.of(" " * 40).chosen is False


def test_a_chosen_token_is_not_repeated_and_a_short_one_opens_nothing() -> None:
    chosen = CuratorToken.of(CHOSEN)
    assert CHOSEN not in chosen.said()
    assert chosen.opens(CHOSEN, HERE) == ""
    short = CuratorToken.of("hunter2")
    assert "shorter than 20 characters" in short.said()
    assert "hunter2" not in short.said()
    for typed in ("hunter2", ""):
        assert "shorter than 20 characters" in short.opens(typed, HERE)


@pytest.mark.parametrize(("secret", "strong"), [(None, True), (LONG, True), (LONG[:31], False), ("abc" * 20, False)])
def test_who_chose_a_token_that_can_be_made_to_wait_is_told(secret: str | None, strong: bool) -> None:
    token = CuratorToken.of(secret)
    assert token.strong is strong
    assert ("delay it" in token.said()) is not strong


def test_a_chosen_token_waits_a_minute_at_most_and_only_where_wrong_ones_were_tried() -> None:
    moment = [0.0]
    token = CuratorToken(secret=CHOSEN, chosen=True, tries=Tries(free=curator_token.TRIES, clock=lambda: moment[0]))
    for _ in range(curator_token.TRIES):
        assert "not the token" in token.opens("a wrong one", HERE)
    assert "Try again in 1 seconds" in token.opens(CHOSEN, HERE)
    assert token.opens(CHOSEN, ELSEWHERE) == ""
    for _ in range(10):
        moment[0] += 60.0
        assert "not the token" in token.opens("a wrong one", HERE)
    assert "Try again in 60 seconds" in token.opens("a wrong one", HERE)
    moment[0] += 59.0
    assert "Try again in 1 seconds" in token.opens(CHOSEN, HERE)
    moment[0] += 1.0
    assert token.opens(CHOSEN, HERE) == ""
