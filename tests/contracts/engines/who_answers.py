"""Opens a session with each address of Spark Connect and prints which server each one reached.

python -m tests.contracts.engines.who_answers sc://host:port sc://host:port
"""

from __future__ import annotations

import sys

from dpengine.data.engines.spark_sessions import remote_session


def main(urls: list[str]) -> None:
    """All sessions are open before the first one is asked."""
    sessions = [remote_session(url) for url in urls]
    for session in sessions:
        host, port = (session.conf.get(f"spark.connect.grpc.binding.{name}") for name in ("address", "port"))
        print(f"sc://{host}:{port}")


if __name__ == "__main__":
    main(sys.argv[1:])
