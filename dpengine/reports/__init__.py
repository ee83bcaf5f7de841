"""Values into files that people keep: a history, a label for the wall, a brief, a script, numbers, a promise judged."""

from dpengine.reports.briefs.brief_input import Explored, listed
from dpengine.reports.briefs.brief_page import policy_brief
from dpengine.reports.evaluations.evaluation_page import evaluation_html
from dpengine.reports.exact_answer import done_first, exact_answer, exact_answer_to
from dpengine.reports.histories.history_csv import history_csv
from dpengine.reports.histories.history_json import history_json
from dpengine.reports.histories.history_reading import history_from_json
from dpengine.reports.labels.label import DECIDED_BEFOREHAND, MAY_HAVE_CHANGED
from dpengine.reports.labels.label_page import privacy_label
from dpengine.reports.labels.label_text import privacy_label_text
from dpengine.reports.room_records.room_record import (
    AskedInRoom,
    AttackOnRoom,
    CheckOfARoom,
    GuessesOfARoom,
    JudgedInRoom,
    RoomRecord,
    SpentInRoom,
    VotesOfARound,
)
from dpengine.reports.room_records.room_record_page import room_record
from dpengine.reports.scripts.notebook import plan_notebook
from dpengine.reports.scripts.plan_csv import plan_csv
from dpengine.reports.scripts.script import plan_script
from dpengine.reports.spreadsheets import comma_separated, spreadsheet_file, spreadsheet_safe

__all__ = [
    "DECIDED_BEFOREHAND",
    "MAY_HAVE_CHANGED",
    "AskedInRoom",
    "AttackOnRoom",
    "CheckOfARoom",
    "Explored",
    "GuessesOfARoom",
    "JudgedInRoom",
    "RoomRecord",
    "SpentInRoom",
    "VotesOfARound",
    "comma_separated",
    "done_first",
    "evaluation_html",
    "exact_answer",
    "exact_answer_to",
    "history_csv",
    "history_from_json",
    "history_json",
    "listed",
    "plan_csv",
    "plan_notebook",
    "plan_script",
    "policy_brief",
    "privacy_label",
    "privacy_label_text",
    "room_record",
    "spreadsheet_file",
    "spreadsheet_safe",
]
