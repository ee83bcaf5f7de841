"""The pages where most numbers were read: a registry, in a named edition, and one list."""

from __future__ import annotations

from dpengine.deployments.deployment import SourcePage

_EDITION = "017edf7af6ad6d4448fc0ac9c1850423ad353bc4"

REAL_WORLD_USES = SourcePage(
    title="A list of real-world uses of differential privacy (18 August 2025)",
    publisher="Damien Desfontaines",
    place="desfontain.es/blog/real-world-differential-privacy.html",
)


def registry(name: str, file: str, edition: str = _EDITION) -> SourcePage:
    """One entry of OpenDP's Deployments Registry, as it stood at a commit."""
    return SourcePage(
        title=f"Deployments Registry: {name}",
        publisher="OpenDP",
        place=f"github.com/opendp/deployments-registry-data/blob/{edition}/deployments/{file}.yaml",
    )
