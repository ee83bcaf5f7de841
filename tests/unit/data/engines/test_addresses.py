import pytest

from dpengine.data.addresses import Address, address_of
from dpengine.errors import IntakeError


def test_the_parts_are_read_with_their_signs():
    address = Address.of("postgresql://me:a%40b%2Fc@db.example.org:5433/clinic?table=%22a.b%22.c&sslmode=require")
    assert (address.scheme, address.host, address.port, address.path) == (
        "postgresql",
        "db.example.org",
        5433,
        "/clinic",
    )
    assert (address.user, address.password) == ("me", "a@b/c")
    assert address.options == {"table": '"a.b".c', "sslmode": "require"}


def test_neither_user_nor_password_is_shown():
    shown = repr(Address.of("postgresql://somebody:hidden@host/db?token=secret"))
    assert "host" in shown
    assert not any(secret in shown for secret in ("somebody", "hidden", "secret"))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:pass#word@host/db",
        "postgresql://me:pass/word@host/db",
        "postgresql://me:word@host:port/db",
        "postgresql://me:word@host:99999/db",
        "postgresql://[me:word@host/db",
        "postgresql://me:word@host/db?table",
        "postgresql://me:word@host/db?table=a&table=b",
    ],
)
def test_what_is_no_address_is_refused_and_not_quoted(url):
    with pytest.raises(IntakeError, match="must read") as refused:
        Address.of(url)
    assert "word" not in str(refused.value).replace("password", "")


def test_an_option_that_is_not_known_is_not_quoted():
    """It may be what follows a question mark in a password."""
    with pytest.raises(IntakeError, match="'table'") as refused:
        Address.of("postgresql://me:12?word=x@host/db").require_options(("table",))
    assert "word" not in str(refused.value)


def test_the_identity_is_the_place_and_nobody_in_particular():
    def identity(url):
        return Address.of(url).identity("public", "visits")

    here = identity("postgresql://me:a@host/db?table=visits")
    assert identity("postgresql://you:b@host/db?table=public.visits&seconds=9") == here
    others = [identity(url) for url in ("postgresql://host/other", "postgresql://host2/db", "postgresql://host:1/db")]
    assert len({here, *others}) == 4
    address = Address.of("postgresql://me:a@host/db")
    assert address.identity("a", "bc") != address.identity("ab", "c")


def test_only_known_schemes_are_opened():
    assert address_of("sc://host", ("sc",)).host == "host"
    with pytest.raises(IntakeError, match=r"'sc'.*known are 'spark'"):
        address_of("sc://host", ("spark",))
