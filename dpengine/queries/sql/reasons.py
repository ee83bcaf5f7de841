"""Why a word, a clause or a function of SQL has no answer here, in terms of privacy, and what to ask instead."""

from __future__ import annotations

from sqlglot import TokenType, exp

JOINS = (
    "A join copies a person's rows once for every match, so nothing limits how much one person can change the "
    "answer. Ask one table at a time."
)
COMBINED = (
    "UNION, INTERSECT and EXCEPT put the rows of several questions together, without the noise of each. "
    "Ask each question by itself; it gets its own share of the budget."
)
NESTED = (
    "A query within a query would use exact values, without any noise. "
    "Ask one SELECT of the table itself, with its condition in WHERE."
)
CUT = (
    "LIMIT, OFFSET and FETCH pick out single rows, and a row is a person. "
    "Leave them out: an answer is one noisy figure about all rows in WHERE, or one for each group."
)
SORTED = (
    "ORDER BY would sort by exact values, and their order is an answer without noise. "
    "Leave it out, and sort the noisy answers afterwards: that costs no privacy."
)
HAVING = (
    "HAVING keeps a group by its exact value, so which groups appear would be an answer without noise. "
    "Leave it out: every group is answered with noise, and you can drop the small ones afterwards."
)
WINDOWS = (
    "A window function gives every row a value of its own, and a row is a person. "
    "Ask for one figure about all rows, or about each group with GROUP BY."
)
DISTINCT_ROWS = (
    "SELECT DISTINCT lists the values that occur, and a rare one gives a person away. "
    "Ask how many rows each public value has: SELECT category, count(*) ... GROUP BY category."
)
DISTINCT_VALUES = (
    "DISTINCT inside this function makes the answer depend on which values occur, which one person may decide alone. "
    "Only count(DISTINCT the identifier of people) has an answer, the number of people."
)
STAR = (
    "SELECT * returns the rows themselves, which are people, and no noise can hide them. "
    "Ask for a figure about many of them, such as count(*), sum or avg of a number column."
)
PATTERNS = (
    "Patterns search inside values, and each engine reads them in its own way. "
    "Compare a column with whole values instead, with = or IN."
)
CASTS = (
    "A cast may fail on one person's value, and whether it fails is an answer without noise. "
    "Columns already have their declared kinds: compare them with numbers, texts or dates as they are."
)
ARITHMETIC = (
    "The result of arithmetic has no declared bounds, so there is no limit on how much one person can change it, "
    "and it may fail on one person's value. Use columns and constants as they are; noisy answers can be "
    "combined freely."
)
SAMPLED = (
    "A sample of the rows changes what is promised to the people in it, and budgets here do not account for that. "
    "Ask about all rows."
)
STORED = "This would store exact values without noise. Leave INTO out: answers are kept with the release."
CHANGES = (
    "{word} would change the table. Questions only read it: begin with SELECT, such as SELECT count(*) FROM {table}."
)
FILES = (
    "{word} reads files or other databases, whose people no budget here protects. "
    "Begin with SELECT, such as SELECT count(*) FROM {table}."
)
ENGINE = (
    "{word} gives orders to the engine that holds the rows, and would bypass the noise. "
    "Begin with SELECT, such as SELECT count(*) FROM {table}."
)
LISTED = "VALUES and TABLE return the rows themselves, and no noise can hide a row. Ask SELECT count(*) FROM {table}."
BEGINNING = "A question begins with SELECT and asks for a figure about many people: SELECT count(*) FROM {table}."
UNREADABLE = (
    "{word} is not part of the SQL that can be answered with noise: one SELECT of a count, sum, mean, variance, "
    "quantile or mode."
)
QUOTES = " If it is a name, put it in double quotes."
CONSTANT = (
    "A constant alone asks nothing about the people in the table. Select a figure such as count(*), compare a column "
    "with the constant in WHERE, and name a column in GROUP BY."
)
SHARES = (
    "CASE is answered only as a share, whose bounds are known: "
    "avg(CASE WHEN condition THEN 1.0 ELSE 0.0 END). For a number of rows put the condition into WHERE."
)
DISTINCT_FROM = (
    "IS DISTINCT FROM is not read here. NOT (column = value) says the same: it holds where the value is missing, too, "
    "so everybody is counted on one side or the other."
)
DESCENDING = "WITHIN GROUP takes one column, from small to large: (ORDER BY column). Missing values do not count."
EXTREMES = (
    "The smallest or largest value is one person's own value: noise that hides the person hides the value. "
    "Ask for a quantile that rests on many people, such as percentile_cont(0.95) WITHIN GROUP (ORDER BY column)."
)
SAMPLE_VARIANCE = (
    "In SQL variance, var_samp and stddev divide by the number of rows minus one, which is itself private. "
    "Ask var_pop(column), which is answered with noise; its square root costs no further privacy."
)
DEVIATION = (
    "A standard deviation has no noise of its own here. Ask var_pop(column), which is answered with noise; "
    "its square root costs no further privacy."
)
RANKS = (
    "A value picked out of the rows is one person's own. Ask median(column) or percentile_cont(0.9) WITHIN GROUP "
    "(ORDER BY column): that is chosen with noise among all values between the public bounds."
)
PERIODS = (
    "Parts of a date are read in two places only: date_trunc('month', column) or 'year' in GROUP BY, with count(*). "
    "In WHERE compare the column with dates, such as column >= '2024-01-01'. Then the groups are public."
)
CONDITION = (
    "A condition stands in WHERE, or in avg(CASE WHEN condition THEN 1.0 ELSE 0.0 END) for the share of the rows that "
    "satisfy it. It compares a column with constants, and conditions are joined with AND, OR and NOT."
)
SINGLE_VALUES = (
    "This function returns values of individual people, and no noise can hide them. "
    "Ask for a figure about many people, such as count(*), avg or median."
)
GROUP_SETS = (
    "ROLLUP, CUBE, GROUPING SETS and ALL ask several questions at once about the same people. "
    "Name one or two columns in GROUP BY, and ask for each total by itself, with its own share of the budget."
)
EITHER = "IN needs a list of constants here, such as IN ('a', 'b'): a list from elsewhere would be read without noise."

FIRST_WORDS = {
    **dict.fromkeys(
        ("INSERT", "UPDATE", "DELETE", "DROP", "CREATE", "ALTER", "TRUNCATE", "MERGE", "REPLACE", "GRANT"), CHANGES
    ),
    **dict.fromkeys(("COPY", "ATTACH", "DETACH", "EXPORT", "IMPORT", "INSTALL", "LOAD", "USE"), FILES),
    **dict.fromkeys(
        (
            *("PRAGMA", "SET", "RESET", "CALL", "EXPLAIN", "DESCRIBE", "SHOW", "SUMMARIZE", "ANALYZE", "VACUUM"),
            *("CHECKPOINT", "PREPARE", "EXECUTE", "DEALLOCATE", "BEGIN", "COMMIT", "ROLLBACK", "KILL", "COMMENT"),
        ),
        ENGINE,
    ),
    **dict.fromkeys(("VALUES", "TABLE"), LISTED),
    "WITH": NESTED,
}

TOKENS = {
    **dict.fromkeys(
        (
            *(TokenType.JOIN, TokenType.CROSS, TokenType.INNER, TokenType.LEFT, TokenType.RIGHT, TokenType.FULL),
            *(TokenType.NATURAL, TokenType.OUTER, TokenType.ASOF, TokenType.LATERAL, TokenType.USING, TokenType.ON),
            *(TokenType.SEMI, TokenType.ANTI, TokenType.STRAIGHT_JOIN),
        ),
        JOINS,
    ),
    **dict.fromkeys((TokenType.UNION, TokenType.INTERSECT, TokenType.EXCEPT), COMBINED),
    **dict.fromkeys((TokenType.WITH, TokenType.EXISTS, TokenType.ANY, TokenType.SOME), NESTED),
    **dict.fromkeys((TokenType.LIMIT, TokenType.OFFSET, TokenType.FETCH), CUT),
    **dict.fromkeys((TokenType.OVER, TokenType.WINDOW, TokenType.QUALIFY, TokenType.PARTITION_BY), WINDOWS),
    **dict.fromkeys(
        (TokenType.LIKE, TokenType.ILIKE, TokenType.RLIKE, TokenType.GLOB, TokenType.SIMILAR_TO, TokenType.TILDE),
        PATTERNS,
    ),
    **dict.fromkeys(
        (
            *(TokenType.PLUS, TokenType.SLASH, TokenType.DIV, TokenType.MOD, TokenType.DPIPE, TokenType.PIPE),
            *(TokenType.AMP, TokenType.CARET, TokenType.DSTAR, TokenType.INTERVAL, TokenType.DAMP),
        ),
        ARITHMETIC,
    ),
    **dict.fromkeys((TokenType.ROLLUP, TokenType.CUBE, TokenType.GROUPING_SETS, TokenType.ALL), GROUP_SETS),
    TokenType.HAVING: HAVING,
    TokenType.DCOLON: CASTS,
    TokenType.TABLE_SAMPLE: SAMPLED,
    TokenType.INTO: STORED,
}

CLAUSES = {
    "distinct": DISTINCT_ROWS,
    "joins": JOINS,
    "laterals": JOINS,
    "with_": NESTED,
    "limit": CUT,
    "offset": CUT,
    "order": SORTED,
    "sort": SORTED,
    "cluster": SORTED,
    "distribute": SORTED,
    "having": HAVING,
    "qualify": WINDOWS,
    "windows": WINDOWS,
    "into": STORED,
    "sample": SAMPLED,
    "query": NESTED,
    "field": EITHER,
    "unnest": EITHER,
    "all": GROUP_SETS,
    "rollup": GROUP_SETS,
    "cube": GROUP_SETS,
    "grouping_sets": GROUP_SETS,
    "totals": GROUP_SETS,
    "desc": DESCENDING,
}

NODES: dict[type[exp.Expr], str] = {
    **dict.fromkeys((exp.Select, exp.Subquery, exp.Exists, exp.Any, exp.All), NESTED),
    **dict.fromkeys((exp.Union, exp.Intersect, exp.Except), COMBINED),
    **dict.fromkeys((exp.Min, exp.Max, exp.ArgMin, exp.ArgMax, exp.Least, exp.Greatest), EXTREMES),
    **dict.fromkeys((exp.Stddev, exp.StddevSamp, exp.Variance), SAMPLE_VARIANCE),
    **dict.fromkeys(
        (
            exp.AnyValue,
            exp.First,
            exp.Last,
            exp.ArrayAgg,
            exp.GroupConcat,
            exp.FirstValue,
            exp.LastValue,
            exp.IgnoreNulls,
        ),
        SINGLE_VALUES,
    ),
    **dict.fromkeys((exp.Cast, exp.TryCast), CASTS),
    **dict.fromkeys((exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Pow, exp.Abs, exp.Round), ARITHMETIC),
    **dict.fromkeys((exp.Literal, exp.Boolean, exp.Null), CONSTANT),
    **dict.fromkeys((exp.NullSafeEQ, exp.NullSafeNEQ), DISTINCT_FROM),
    **dict.fromkeys((exp.PercentileDisc, exp.Quantile, exp.ApproxQuantile), RANKS),
    **dict.fromkeys((exp.Year, exp.Month, exp.Day, exp.Quarter, exp.Week, exp.DayOfWeek, exp.Extract), PERIODS),
    **dict.fromkeys((exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE), CONDITION),
    **dict.fromkeys((exp.And, exp.Or, exp.Not, exp.In, exp.Between, exp.Is), CONDITION),
    exp.StddevPop: DEVIATION,
    exp.CountIf: SHARES,
    exp.Case: SHARES,
    exp.Distinct: DISTINCT_VALUES,
    exp.Window: WINDOWS,
    exp.Order: SORTED,
    exp.Star: STAR,
}

FUNCTIONS = {
    **dict.fromkeys(("date_trunc", "date_part"), PERIODS),
    "mean": "A mean is written avg(column) here; it is answered with noise for a number column with public bounds.",
}
