"""What stands between the network and Streamlit, on every door: each layer shuts one of the framework's side doors."""

from __future__ import annotations

from starlette.middleware import Middleware

from pages.ui.serving.bounds import Met
from pages.ui.serving.layers import proxies
from pages.ui.serving.layers.accounts_here import OwnAccount
from pages.ui.serving.layers.closed import Closed
from pages.ui.serving.layers.crowds import NotTooMany
from pages.ui.serving.layers.headers import SafeHeaders
from pages.ui.serving.layers.messages import OnlyWhatWeUse
from pages.ui.serving.layers.news import OnlyNews
from pages.ui.serving.layers.own_names import OwnNames
from pages.ui.serving.layers.proof import SameBrowser
from pages.ui.serving.layers.runs import WorkedOutInTurn
from pages.ui.serving.layers.sign_ins import NotedSignIns
from pages.ui.serving.layers.turns import OpenedInTurn
from pages.ui.serving.layers.uploads import CuratorsUploads

MIDDLEWARE = (
    Middleware(Met),
    Middleware(OwnAccount),
    proxies.middleware(),
    Middleware(SafeHeaders),
    Middleware(OwnNames),
    Middleware(OpenedInTurn),
    Middleware(NotTooMany),
    Middleware(Closed),
    Middleware(SameBrowser),
    Middleware(NotedSignIns),
    Middleware(CuratorsUploads),
    Middleware(OnlyWhatWeUse),
    Middleware(OnlyNews),
    Middleware(WorkedOutInTurn),
)
"""From the outermost to the innermost."""
