"""What docs/security.md promises of containers: rules that take the text of a file and name what breaks them."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from pages.serving import alone
from pages.serving.layers import proxies

LOCK = "requirements-server.lock"
HEALTH = "/_stcore/health"
_PINNED = re.compile(r"[\w./-]+:\d+\.\d+\.?\d*(-[\w.-]+)?")
_SECRET = re.compile("TOKEN|PASSWORD|SECRET|KEY")
_ASKED_FOR = re.compile(r"\$\{\w+:\?[^}]+\}")
"""A value that whoever starts it has to say, and that stands in no file of ours."""

Service = Mapping[str, Any]


def in_compose(text: str) -> list[str]:
    """What is wrong with a compose file."""
    said = yaml.safe_load(text)
    services: Mapping[str, Service] = said["services"]
    each = (f"{name}: {fault}" for name, service in services.items() for fault in _of_any(service, said["volumes"]))
    return [*each, *_of_servers(services), *_of_networks(services, said["networks"])]


def in_containerfile(text: str) -> list[str]:
    """What is wrong with a Containerfile, as far as its lines tell."""
    lines = [line.strip() for line in text.replace("\\\n", " ").splitlines()]
    steps = [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines) if word.isupper()]
    users = [rest for word, rest in steps if word == "USER"]
    checks = [rest for word, rest in steps if word == "HEALTHCHECK"]
    faults = {
        "its image is not pinned": not all(_PINNED.fullmatch(rest) for word, rest in steps if word == "FROM"),
        "it runs as root": not users or users[-1] in {"root", "0"},
        "it runs as a name, which an orchestrator cannot check": bool(users) and not users[-1].isdecimal(),
        "it becomes root again": len(users) > 1,
        "its health is not asked for": len(checks) != 1 or HEALTH not in checks[0],
        "it copies whatever is there": any(rest.startswith(". ") for word, rest in steps if word == "COPY"),
        "it fetches": any(word == "ADD" or re.search(r"\b(curl|wget|git)\b", rest) for word, rest in steps),
        "it knows a secret": any(_SECRET.search(rest) for word, rest in steps if word in {"ENV", "ARG"}),
        "it serves one person": f"{alone.SERVED}=yes" not in text,
    }
    installs = [rest for word, rest in steps if word == "RUN" and "pip install" in rest]
    by_hash = all(f"--require-hashes -r {LOCK}" in rest and "&&" not in rest for rest in installs)
    return [fault for fault, there in faults.items() if there] + ([] if installs and by_hash else ["no hashes"])


def copied(text: str) -> list[str]:
    """What a Containerfile takes from the repository."""
    lines = (line.split()[1:-1] for line in text.splitlines() if line.startswith("COPY "))
    return [name for names in lines for name in names]


def _of_any(service: Service, volumes: Mapping[str, object]) -> Iterator[str]:
    mounted = [str(one).partition(":")[0] for one in service.get("volumes", ())]
    faults = {
        "its image is not pinned": not _PINNED.fullmatch(service.get("image", "")),
        "it runs as root": str(service.get("user", "root")) in {"root", "0"},
        "its file system can be written": service.get("read_only") is not True,
        "it keeps capabilities": service.get("cap_drop") != ["ALL"] or bool(service.get("cap_add")),
        "it may gain privileges": "no-new-privileges:true" not in service.get("security_opt", ()),
        "it is privileged": bool(service.get("privileged")) or bool(service.get("network_mode")),
        "its health is not asked for": "healthcheck" not in service and "build" not in service,
        "what it keeps has no name": "ports" not in service and not (mounted and set(mounted) <= set(volumes)),
    }
    yield from (fault for fault, there in faults.items() if there)
    for name, value in service.get("environment", {}).items():
        if _SECRET.search(name) and not _ASKED_FOR.fullmatch(str(value)):
            yield f"{name} stands in the file"
        if (password := re.search(r"://[^/@:]+:(.*)@", str(value))) and not _ASKED_FOR.fullmatch(password[1]):
            yield f"a password stands in {name}"


def _of_servers(services: Mapping[str, Service]) -> Iterator[str]:
    """Who believes whom: each server the one proxy, by its address."""
    (proxy,) = (one for one in services.values() if "haproxy" in one["image"])
    known = {str(one["ipv4_address"]) for one in proxy["networks"].values() if one}
    servers = {name: service for name, service in services.items() if "build" in service}
    if not servers:
        yield "no server"
    for name, service in servers.items():
        settings = service["environment"]
        believed = [ipaddress.ip_network(one) for one in filter(None, settings.get(proxies.VARIABLE, "").split(","))]
        if {str(one.network_address) for one in believed if one.num_addresses == 1} != known or len(believed) != 1:
            yield f"{name}: it does not believe the proxy, and nobody else"
        if settings.get(alone.SERVED) != "yes":
            yield f"{name}: it serves one person"


def _of_networks(services: Mapping[str, Service], networks: Mapping[str, Any]) -> Iterator[str]:
    """Only the proxy can be reached from outside, and only servers reach the database."""
    inside = {name for name, network in networks.items() if network and network.get("internal") is True}
    for name, service in services.items():
        if "haproxy" in service["image"]:
            continue
        if service.get("ports"):
            yield f"{name}: its port is published"
        if not set(service["networks"]) <= inside:
            yield f"{name}: it is in a network that leads outside"
        if "postgres" in service["image"] and any(
            set(service["networks"]) & set(other["networks"])
            for other in services.values()
            if "haproxy" in other["image"]
        ):
            yield f"{name}: the proxy reaches it"
