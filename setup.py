"""What `pip install .` brings along: the engine, and the dashboard under a name that is nobody else's."""

from setuptools import find_packages, setup

PROGRAM = "epsilon_explorer"
"""app.py and its pages, which import one another as they do here, lie in this package."""

pages = find_packages(include=["pages*"])
setup(
    packages=[*find_packages(include=["dpengine*"]), PROGRAM, *(f"{PROGRAM}.{name}" for name in pages)],
    package_dir={"dpengine": "dpengine", PROGRAM: "."},
)
