"""The look of all pages, read once, is the one that Streamlit would tell each run."""

from __future__ import annotations

from streamlit.config import CustomThemeCategories
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

from pages.serving.patches import run_begins
from tests.running.cases import each

SECTIONS = ("theme", *(f"theme.{one.value}" for one in CustomThemeCategories))


@each("section", SECTIONS)
def test_each_part_of_the_look_is_the_one_that_streamlit_reads(section: str) -> None:
    run_begins.say_no_more_than_needed()
    for _ in range(2):
        told, read = CustomThemeConfig(), CustomThemeConfig()
        app_session._populate_theme_msg(told.dark, section)
        run_begins._read(read.dark, section)
        assert told.SerializeToString() == read.SerializeToString()
        assert (read.ByteSize() == 0) == (section == "theme.sidebar"), "Of that alone the settings say nothing."
