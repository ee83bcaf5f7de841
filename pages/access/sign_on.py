"""Curators who sign in with OpenID Connect: whom the server's owner has named, and how they get there."""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Mapping

import streamlit as st

from pages.serving.layers import proof, sign_ins

CURATORS = "EPSILON_EXPLORER_CURATORS"
PACKAGES = ("authlib", "httpx")
"""What Streamlit needs to ask a provider, and does not bring along by itself."""


def names(user: Mapping[str, object], curators: str, *, now: float) -> bool:
    """Whether a provider's claims are those of a curator.

    `curators`: e-mail addresses, or issuers each with a subject, "https://login.example.org|1001", with commas between
    them. An address counts only where the provider says that it is verified, and only a recent sign-in counts.
    """
    wanted = [one.strip() for one in curators.split(",") if one.strip()]
    if user.get("is_logged_in") is not True or not _recent(user.get("iat"), now):
        return False
    email, subject = user.get("email"), f"{user.get('iss')}|{user.get('sub')}"
    verified = user.get("email_verified") is True and isinstance(email, str)
    by_address = verified and _lower(str(email)) in {_lower(one) for one in wanted if "@" in one and "|" not in one}
    known = isinstance(user.get("iss"), str) and isinstance(user.get("sub"), str)
    return by_address or (known and subject in wanted)


def _lower(address: str) -> str:
    """Only plain letters have another case: a Kelvin sign is no k."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in address)


def _recent(issued: object, now: float) -> bool:
    """Issued within the last hours; clocks may differ by a minute."""
    known = isinstance(issued, int | float) and not isinstance(issued, bool)
    return known and -60.0 <= now - float(str(issued)) <= sign_ins.HOURS * 3600.0


def is_curator() -> bool:
    """Whether the person at this browser has signed in as a curator."""
    curators = os.environ.get(CURATORS, "")
    return bool(curators) and is_signed_in() and names(dict(st.user), curators, now=time.time())


def who() -> str:
    """The person of the sign-in at this browser, as their provider tells them apart."""
    return f"{st.user.get('iss')}|{st.user.get('sub')}"


def is_signed_in() -> bool:
    """Whether somebody has signed in at this browser, not long ago, and not out again."""
    if not _holds_a_sign_in() or not _is_from_whom_it_says():
        return False
    browser, sign_in = (str(st.user.get(key) or "") for key in (proof.USER_KEY, sign_ins.NAME))
    return sign_ins.counts(browser, sign_in) and _recent(st.user.get("iat"), time.time())


def ends() -> float:
    """When the sign-in at this browser ends by itself, in seconds of Unix time."""
    issued = st.user.get("iat")
    return float(str(issued)) + sign_ins.HOURS * 3600.0 if isinstance(issued, int | float) else 0.0


def _holds_a_sign_in() -> bool:
    """Whether there is one at all, be it ended or copied from another browser."""
    return bool(providers()) and st.user.get("is_logged_in") is True


def _is_from_whom_it_says() -> bool:
    """Whether its provider is at the address by which it calls itself: another one's people are that one's alone."""
    return sign_ins.is_at_its_address(str(st.user.get("provider")), str(st.user.get("iss")))


def providers() -> tuple[str, ...]:
    """The providers of the server's [auth] settings, "default" for a nameless one; none without settings."""
    if not st.secrets.load_if_toml_exists() or "auth" not in st.secrets:
        return ()
    settings = st.secrets["auth"]
    named = tuple(name for name, value in settings.items() if isinstance(value, Mapping))
    return (("default",) if "client_id" in settings else ()) + named


def buttons(place: str) -> None:
    """One button for each provider, or out again for somebody who signed in and is no curator."""
    if is_signed_in():
        st.markdown("You are signed in, but not named as a curator of this server.")
        st.button("Sign out", key=f"sign_out_{place}", on_click=st.logout)
        return
    if providers() and not all(importlib.util.find_spec(name) for name in PACKAGES):
        st.markdown(
            "Signing in needs packages that this server lacks: install them with `pip install streamlit[auth]`."
        )
        return
    if _holds_a_sign_in() and not _is_from_whom_it_says():
        st.markdown(
            "This sign-in does not count: its provider calls itself by another address than this server's settings."
        )
    elif _holds_a_sign_in():
        st.markdown(
            f"Your sign-in has ended. It lasts at most {sign_ins.HOURS} hours, in one browser, while the server runs."
        )
    for name in providers():
        label = "Sign in" if name == "default" else f"Sign in with {name}"
        st.button(label, key=f"sign_in_{place}_{name}", on_click=_login, args=(name,))


def _login(name: str) -> None:
    st.login(None if name == "default" else name)
