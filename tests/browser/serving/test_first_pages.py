"""The end of a first page, as Streamlit says it: the next newcomer waits for it."""

from __future__ import annotations

from streamlit.proto.BackMsg_pb2 import BackMsg

from benchmarks.load import live_dial, person
from pages.ui.serving.newcomers import is_drawn
from tests.servers.looping import finished
from tests.servers.server import Server


async def heard(server: Server) -> list[bytes]:
    """Everything that a browser is told until its first page is drawn."""
    one, asked = await person(server.url, live_dial("welcome")), BackMsg()
    asked.rerun_script.page_name = "welcome"
    told = await one.run(asked)
    await one.connection.close()
    return told


def test_the_last_message_of_a_page_alone_says_that_it_is_drawn(server: Server) -> None:
    *before, last = (is_drawn({"bytes": one}) for one in finished(heard(server)))
    assert last
    assert len(before) > 20
    assert not any(before)
