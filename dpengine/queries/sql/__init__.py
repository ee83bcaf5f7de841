"""The subset of SQL that has an answer: text into questions and back; everything else is refused with the reason.

Nothing of a text reaches an engine of rows: what sqlglot reads is walked through a list of what is allowed, and the
question is built anew. In a condition NOT means "the other rows": where a value is missing, `age = 22` and `age <> 22`
are false as in SQL, while `NOT age = 22`, `age NOT IN (22)` and `age NOT BETWEEN 20 AND 30` are true.
"""

from dpengine.queries.sql.printing import to_sql
from dpengine.queries.sql.questions import parse_sql

__all__ = ["parse_sql", "to_sql"]
