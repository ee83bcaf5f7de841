"""The ruler of real deployments, as an example for the contract of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dpengine.charts import Chart, Palette, deployment_charts
from dpengine.deployments import DEPLOYMENTS

EXAMPLES: Mapping[str, Callable[[Palette], Chart]] = {
    "what others chose": lambda palette: deployment_charts.ruler(
        DEPLOYMENTS, epsilon=3.0, near=DEPLOYMENTS[:2], palette=palette
    ),
}
