"""What stands between the network and Streamlit, on every door: each layer shuts one of the framework's side doors."""

from __future__ import annotations

from starlette.middleware import Middleware

from pages.serving.bounds import Met
from pages.serving.layers import proxies
from pages.serving.layers.accounts_here import OwnAccount
from pages.serving.layers.admission import NotTooMany
from pages.serving.layers.closed import Closed
from pages.serving.layers.cookies import PlainCookies
from pages.serving.layers.headers import SafeHeaders
from pages.serving.layers.leaving import NotedLeaving
from pages.serving.layers.messages import OnlyWhatWeUse
from pages.serving.layers.news import OnlyNews
from pages.serving.layers.opened import OpenedHere
from pages.serving.layers.own_names import OwnNames
from pages.serving.layers.proof import SameBrowser
from pages.serving.layers.runs import WorkedOutInTurn
from pages.serving.layers.sign_ins import NotedSignIns
from pages.serving.layers.turns import OpenedInTurn
from pages.serving.layers.uploads import CuratorsUploads

MIDDLEWARE = (
    Middleware(Met),
    Middleware(OwnAccount),
    Middleware(PlainCookies),
    proxies.middleware(),
    Middleware(SafeHeaders),
    Middleware(OwnNames),
    Middleware(OpenedInTurn),
    Middleware(NotTooMany),
    Middleware(Closed),
    Middleware(OpenedHere),
    Middleware(SameBrowser),
    Middleware(NotedSignIns),
    Middleware(CuratorsUploads),
    Middleware(NotedLeaving),
    Middleware(OnlyWhatWeUse),
    Middleware(OnlyNews),
    Middleware(WorkedOutInTurn),
)
"""From the outermost to the innermost."""
