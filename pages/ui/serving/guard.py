"""What stands between the network and Streamlit, on every door: each layer shuts one of the framework's side doors."""

from __future__ import annotations

from starlette.middleware import Middleware

from pages.ui.serving import proxies
from pages.ui.serving.accounts_here import OwnAccount
from pages.ui.serving.bounds import Met
from pages.ui.serving.closed import Closed
from pages.ui.serving.crowds import NotTooMany
from pages.ui.serving.headers import SafeHeaders
from pages.ui.serving.messages import OnlyWhatWeUse
from pages.ui.serving.news import OnlyNews
from pages.ui.serving.own_names import OwnNames
from pages.ui.serving.proof import SameBrowser
from pages.ui.serving.runs import WorkedOutInTurn
from pages.ui.serving.sign_ins import NotedSignIns
from pages.ui.serving.turns import OpenedInTurn
from pages.ui.serving.uploads import CuratorsUploads

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
