"""Sessions with Spark: in this process, on a cluster of its own kind, or through Spark Connect."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from dpengine.data.engines.error_masking import in_own_words
from dpengine.data.engines.scratch import Scratch
from dpengine.errors import EngineError, IntakeError

NOT_INSTALLED = "Tables in Spark need pyspark, which is not installed: pip install -r requirements-spark.txt"
_STARTING = threading.Lock()
# Errors of Spark print themselves, with the cell that they are about.
_PRINTING = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")
_LOCAL = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    # Its ports hand out rows, and read objects; any account of this machine may connect to them.
    "spark.authenticate": "true",
    "spark.network.crypto.enabled": "true",
    "spark.io.encryption.enabled": "true",
}
# The page that Spark would serve shows statements to whoever finds it.
_CONTEXT = {"spark.app.name": "epsilon-explorer", "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
_SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.caseSensitive": "true",
    # What does not fit is an error and never a wrong number; expressions see to it that everything fits.
    "spark.sql.ansi.enabled": "true",
    # Else what one person's folder is called decides whether everybody's "01" is read as 1.
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    # Else texts of ours are others once Spark has put the server's variables into them.
    "spark.sql.variable.substitute": "false",
    # Else a file that one person's value has given another type, or that goes, is left out in silence.
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.files.ignoreMissingFiles": "false",
    # Else a file's statistics, which its author writes, decide which rows are looked at, and which questions fail.
    "spark.sql.parquet.filterPushdown": "false",
    "spark.sql.parquet.aggregatePushdown": "false",
}


@dataclass(frozen=True, slots=True)
class Tags:
    """How this thread's work is marked and any thread's stopped: through a server, or in this process.

    In this process a session's own tags are known to the thread alone that set them.
    """

    add: Callable[[str], object]
    remove: Callable[[str], object]
    stop: Callable[[str], object]

    @classmethod
    def of(cls, session: Any) -> Tags:
        """Those of a session."""
        if "connect" in type(session).__module__:
            return cls(session.addTag, session.removeTag, session.interruptTag)
        context = session.sparkContext
        return cls(context.addJobTag, context.removeJobTag, context.cancelJobsWithTag)


def spark() -> Any:
    """The library, which a server without Spark does not need."""
    try:
        with warnings.catch_warnings():
            # It warns of new versions of pandas, which nothing here hands to it.
            warnings.simplefilter("ignore", FutureWarning)
            library = import_module("pyspark.sql")
            for printing in _PRINTING:
                import_module("pyspark.logger").PySparkLogger.getLogger(printing).disabled = True
            return library
    except ImportError:
        raise IntakeError(NOT_INSTALLED) from None


def spark_errors() -> tuple[type[Exception], ...]:
    """What Spark, the bridge to it and the way to a server raise."""
    spark()
    bridge = import_module("py4j.protocol").Py4JError
    return (import_module("pyspark.errors").PySparkException, bridge)


def session_of(master: str, *, memory: str | None = None) -> Any:
    """A session of one's own with a master such as local[2] or spark://host:7077; raises EngineError.

    A process can have one master only, and a second one is refused.
    """
    here = _here() if master.startswith("local") else {}
    capped = {} if memory is None else {"spark.driver.memory": memory}
    found = _started({"spark.master": master, **_CONTEXT, **here, **capped}, lambda builder: builder.getOrCreate())
    if found.sparkContext.master != master:
        raise EngineError("This server already works with another Spark; it can work with one at a time.")
    # Its log would quote cells.
    found.sparkContext.setLogLevel("OFF")
    return _settled(found.newSession())


def _here() -> Mapping[str, str]:
    """The settings of Spark in this process: what it writes lies in a private folder, which ends with the process."""
    folder = str(_scratch().folder)
    own = ("spark.local.dir", "spark.sql.warehouse.dir")
    java = f"-Djava.io.tmpdir={folder} -XX:-UsePerfData"
    return {**_LOCAL, **dict.fromkeys(own, folder), "spark.driver.extraJavaOptions": java}


@cache
def _scratch() -> Scratch:
    return Scratch()


def remote_session(url: str) -> Any:
    """A session of one's own with this server of Spark Connect, whatever others there are; raises EngineError."""
    return _settled(_started({"spark.remote": url}, lambda builder: builder.create()))


@in_own_words(spark_errors, "Spark does not answer, refused access, or cannot be started: it needs Java 17 or newer.")
def _started(settings: Mapping[str, str], begun: Callable[[Any], Any]) -> Any:
    with _STARTING, warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        _let_go_of_what_ended()
        builder = spark().SparkSession.builder
        for name, value in settings.items():
            builder = builder.config(name, value)
        return begun(builder)


def _let_go_of_what_ended() -> None:
    """Where Java has ended, as for lack of memory, begin another: pyspark would ask the first one for ever."""
    context = import_module("pyspark").SparkContext
    java = getattr(context._gateway, "proc", None)  # noqa: SLF001
    if java is None or java.poll() is None:
        return
    for _ in range(2):  # the first may fail on its way to Java
        if (ended := context._active_spark_context) is not None:  # noqa: SLF001
            with suppress(*spark_errors(), OSError):
                ended.stop()
    with suppress(*spark_errors(), OSError):
        context._gateway.close()  # noqa: SLF001
    if java.stdin is not None:
        java.stdin.close()
    context._gateway = context._jvm = None  # noqa: SLF001


@in_own_words(spark_errors)
def _settled(session: Any) -> Any:
    for name, value in _SETTINGS.items():
        session.conf.set(name, value)
    return session
