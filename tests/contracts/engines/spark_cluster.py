"""Spark's own servers on this machine: a master with workers, and Spark Connect; stopped by their own process ids."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.servers.server import free_port

START_SECONDS, STOP_SECONDS = 90, 20
_HOST = "127.0.0.1"


@contextmanager
def standalone(folder: Path, *, workers: int = 2) -> Iterator[str]:
    """The address of a master with so many workers of one core each: spark://host:port."""
    port = free_port()
    master = f"spark://{_HOST}:{port}"
    place = ("--host", _HOST, "--webui-port", "0")
    own = ("--cores", "1", "--memory", "1g", "--work-dir", str(folder / "work"))
    commands: list[tuple[str, ...]] = [("org.apache.spark.deploy.master.Master", *place, "--port", str(port))]
    commands += [("org.apache.spark.deploy.worker.Worker", *place, *own, master)] * workers
    with _running(folder, commands, port) as logs:
        _wait(lambda: logs.read_text(errors="replace").count("Registering worker") == workers, logs)
        yield master


@contextmanager
def connect_server(folder: Path) -> Iterator[str]:
    """The address of a Spark Connect server: sc://host:port."""
    port = free_port()
    settings = {
        "spark.connect.grpc.binding.address": _HOST,
        "spark.connect.grpc.binding.port": str(port),
        "spark.ui.enabled": "false",
        "spark.driver.host": _HOST,
        "spark.driver.memory": "1g",
    }
    flags = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    server = ("--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "--master", "local[2]")
    with _running(folder, [("org.apache.spark.deploy.SparkSubmit", *server, *flags, "spark-internal")], port):
        yield f"sc://{_HOST}:{port}"


@contextmanager
def _running(folder: Path, commands: Sequence[Sequence[str]], port: int) -> Iterator[Path]:
    """Programs of Spark, of which the first listens at the port before the others start; their log."""
    home = Path(str(importlib.util.find_spec("pyspark").origin)).parent  # type: ignore[union-attr]
    processes: list[subprocess.Popen[bytes]] = []
    logs = folder / "spark.log"
    environment = os.environ | {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": _HOST}
    try:
        with logs.open("wb") as log:
            for command in commands:
                launched = (str(home / "bin" / "spark-class"), *command)
                processes.append(
                    subprocess.Popen(launched, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
                )
                _wait(lambda: _listens(port), logs)
        yield logs
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            process.wait(STOP_SECONDS)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((_HOST, port)) == 0


def _wait(ready: Callable[[], bool], logs: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not ready():
        if time.monotonic() > deadline:
            raise RuntimeError(f"Spark did not start. It said:\n{logs.read_text(errors='replace')[-4000:]}")
        time.sleep(0.2)
