"""The container files of docs/deploy keep what docs/security.md says of them; no builder is needed to see that."""

from __future__ import annotations

import re

import yaml

from tests.architecture import deploy_rules
from tests.servers.proxies import DEPLOY, HAPROXY, NGINX, SHIPPED_SERVERS
from tests.servers.server import ROOT

COMPOSE, CONTAINERFILE, IGNORED = "compose.yaml", "Containerfile", "Containerfile.dockerignore"


def text(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def test_the_compose_file_keeps_what_is_promised() -> None:
    assert deploy_rules.in_compose(text(COMPOSE)) == []


def test_a_bad_line_of_the_compose_file_is_seen() -> None:
    for before, after in [
        ("haproxy:3.2.4-alpine", "haproxy:latest"),
        ("postgres:17.6-bookworm", "postgres"),
        ('user: "10001"', 'user: "0"'),
        ("    user: postgres\n", ""),
        ("read_only: true", "read_only: false"),
        ("cap_drop: [ALL]", "cap_drop: [NET_RAW]"),
        ("no-new-privileges:true", "no-new-privileges:false"),
        ("    shm_size: 256m\n", "    privileged: true\n"),
        ("    shm_size: 256m\n", '    ports: ["5432:5432"]\n'),
        ("networks: [store]", "networks: [store, door]"),
        ("networks: [store]", "networks: [between]"),
        ("  store:\n    internal: true", "  store:\n    internal: false"),
        ('volumes: ["ledger:/var', 'volumes: ["./ledger:/var'),
        ('    volumes: ["ledger:/var/lib/postgresql/data"]\n', ""),
        ("${EXPLORER_TOKEN:?write it into .env}", "a-token-that-stands-in-a-file"),
        ("${EXPLORER_TOKEN:?write it into .env}", "${EXPLORER_TOKEN:-a-token-that-stands-in-a-file}"),
        ("explorer:${EXPLORER_DATABASE_PASSWORD:?write it into .env}@", "explorer:explorer@"),
        ("EPSILON_EXPLORER_PROXIES: 172.31.85.2 ", "EPSILON_EXPLORER_PROXIES: 172.31.85.0/24 "),
        ("EPSILON_EXPLORER_PROXIES: 172.31.85.2 ", "EPSILON_EXPLORER_PROXIES: 172.31.85.2,172.31.85.11 "),
        ("EPSILON_EXPLORER_PROXIES: 172.31.85.2 ", "OTHERS: 172.31.85.2 "),
        ('EPSILON_EXPLORER_SERVED: "yes"', 'EPSILON_EXPLORER_SERVED: ""'),
        ('test: ["CMD-SHELL"', 'interval_of: ["CMD-SHELL"'),
    ]:
        planted = text(COMPOSE).replace(before, after)
        assert planted != text(COMPOSE), before
        if "interval_of" in after:
            planted = re.sub(r"    healthcheck:\n      interval_of.*\n.*\n.*\n", "", planted)
        assert deploy_rules.in_compose(planted), after


def test_the_containerfile_keeps_what_is_promised() -> None:
    assert deploy_rules.in_containerfile(text(CONTAINERFILE)) == []
    taken = deploy_rules.copied(text(CONTAINERFILE))
    assert [name for name in taken if not (ROOT / name).exists()] == []
    assert {name.removeprefix("!") for name in text(IGNORED).splitlines() if name.startswith("!")} == set(taken)
    assert [line for line in text(IGNORED).splitlines() if not line.startswith(("#", "!"))] == ["*", "**/__pycache__"]


def test_a_bad_line_of_the_containerfile_is_seen() -> None:
    for before, after in [
        ("python:3.11.13-slim-bookworm", "python:latest"),
        ("python:3.11.13-slim-bookworm", "python"),
        ("USER 10001\n", ""),
        ("USER 10001\n", "USER 0\n"),
        ("USER 10001\n", "USER explorer\n"),
        ("EXPOSE 8501\n", "USER root\n"),
        ("--require-hashes ", ""),
        ("requirements-server.lock\n\n", "requirements-server.lock && pip install gunicorn\n\n"),
        ("HEALTHCHECK --interval", "# --interval"),
        (deploy_rules.HEALTH, "/"),
        ("COPY app.py LICENSE ./", "COPY . ."),
        ("EXPOSE 8501\n", "ADD https://example.org/program /usr/bin/program\n"),
        ("EXPOSE 8501\n", "RUN curl https://example.org/install | sh\n"),
        ("EXPOSE 8501\n", "ENV EPSILON_EXPLORER_CURATOR_TOKEN=known-to-everybody-who-reads\n"),
        ("EPSILON_EXPLORER_SERVED=yes", "EPSILON_EXPLORER_SERVED="),
    ]:
        planted = text(CONTAINERFILE).replace(before, after)
        assert planted != text(CONTAINERFILE), before
        assert deploy_rules.in_containerfile(planted), after


def test_proxies_find_the_servers_where_the_compose_file_puts_them() -> None:
    services = yaml.safe_load(text(COMPOSE))["services"]
    placed = tuple(f"{services[name]['networks']['between']['ipv4_address']}:8501" for name in ("one", "two"))
    assert placed == SHIPPED_SERVERS
    assert "--server.port=8501" in text(CONTAINERFILE)
    for kind in (NGINX, HAPROXY):
        named = re.findall(r"\d+\.\d+\.\d+\.\d+:\d+", text(kind.shipped))
        assert tuple(dict.fromkeys(named)) == SHIPPED_SERVERS
    assert "/etc/haproxy/explorer.pem" in text(HAPROXY.shipped)
    assert "/etc/haproxy/explorer.pem:ro" in services["proxy"]["volumes"][1]


def test_what_is_said_beside_the_compose_file_stays_out_of_the_repository() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert ".env" in ignored
    asked = set(re.findall(r"\$\{(\w+)", text(COMPOSE)))
    assert asked == set(re.findall(r"^#   (\w+)=", text(COMPOSE), flags=re.MULTILINE))
