"""The end of a first page, as Streamlit says it: the next newcomer waits for it."""

from __future__ import annotations

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.util import calc_hash
from websockets import ConnectionClosed
from websockets.frames import Frame, Opcode

from benchmarks.load import live_dial, person
from pages.serving.bounds import LONGEST_MESSAGE
from pages.serving.layers.pace import AT_ONCE
from pages.serving.layers.runs import run_of
from pages.serving.patches.run_begins import PROGRAM
from tests.servers.looping import finished
from tests.servers.server import APP, ROOT, Server


async def heard(server: Server) -> list[bytes]:
    """Everything that a browser is told until its first page is drawn."""
    one, asked = await person(server.url, live_dial("welcome")), BackMsg()
    asked.rerun_script.page_name = "welcome"
    told = await one.run(asked)
    await one.connection.close()
    return told


def test_a_page_says_that_it_has_begun_and_as_its_last_word_that_it_is_drawn(server: Server) -> None:
    *before, last = (run_of({"bytes": one}) for one in finished(heard(server)))
    assert last == "script_finished"
    assert "new_session" in before
    assert "script_finished" not in before


def test_nobody_is_told_where_the_program_lies_nor_on_which_machine(server: Server) -> None:
    told = [ForwardMsg.FromString(one) for one in finished(heard(server))]
    begun = [one.new_session for one in told if one.WhichOneof("type") == "new_session"]
    assert {one.main_script_path for one in begun} == {PROGRAM}
    assert {one.initialize.user_info.ByteSize() for one in begun} == {0}
    said = {field.name for one in begun for field, _ in one.initialize.environment_info.ListFields()}
    assert said == {"streamlit_version"}, "Its own script asks for that of the server that it came from."
    assert not [one for one in told for place in (str(ROOT), calc_hash(str(APP))) if place in str(one)]
    assert {one.main_script_hash for one in begun} == {calc_hash(PROGRAM)}, "Whoever guesses a place tries its hash."


def test_a_message_of_many_megabytes_ends_its_connection(server: Server) -> None:
    """Nobody reads it; one of a size that pages have is answered."""

    async def said(size: int) -> None:
        one, asked = await person(server.url, live_dial("welcome")), BackMsg()
        asked.rerun_script.page_name, asked.rerun_script.query_string = "welcome", "x" * size
        await one.run(asked)
        await one.connection.close()

    finished(said(LONGEST_MESSAGE // 4))
    with pytest.raises(ConnectionClosed) as ended:
        finished(said(LONGEST_MESSAGE))
    assert ended.value.rcvd is not None
    assert ended.value.rcvd.code == 1009


def test_a_flood_of_answers_that_nobody_asked_for_ends_its_connection(server: Server) -> None:
    """Those are pongs, of which Streamlit never hears."""

    async def said(count: int) -> None:
        one = await person(server.url, live_dial("welcome"))
        one.connection.transport.write(count * Frame(Opcode.PONG, b"").serialize(mask=True))
        await (await one.connection.ping())
        await one.connection.close()

    finished(said(AT_ONCE // 2))
    with pytest.raises(ConnectionClosed):
        finished(said(100 * AT_ONCE))
