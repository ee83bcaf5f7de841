"""From noisy counts of groups back to single people, in seconds: linear programming and least squares."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from typing import Literal

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csc_array, csr_array, eye_array, hstack
from scipy.sparse.linalg import lsmr

from dpengine.attacks.reconstruction.published import Published
from dpengine.attacks.watch import UNWATCHED, Watch
from dpengine.errors import DPEngineError, InvalidParameterError
from dpengine.losses.arrays import Array

Decoder = Callable[[Published, Watch], Array]
LINEAR_PROGRAM, LEAST_SQUARES = "linear program", "least squares"
LARGEST_SIMPLEX, SECONDS, _POLL, _NEAR, _STEPS_EACH = 100_000, 300.0, 0.05, 1e-9, 4
_SOLVERS = threading.BoundedSemaphore(2)


def linear_program(published: Published, watch: Watch = UNWATCHED) -> Array:
    """The fractions x in [0, 1] (people) whose group counts miss the published ones by the least sum of distances.

    Solved as its dual, max answers y - sum w with -1 <= y <= 1 and w >= groups' y, w >= 0, which has a row for each
    person and none for each question; x are the multipliers of its rows. Raises StoppedError at once when the watch
    says so: a solver that was left alone ends by itself, and no more than two run at the same time.
    Source: Dinur and Nissim 2003; Dwork, McSherry, Talwar 2007, for the sum of distances.
    """
    while not _SOLVERS.acquire(timeout=_POLL):
        watch.tell(0.0)
    solved: Future[Array] = Future()
    threading.Thread(target=_solve, args=(published, solved), daemon=True, name="linear program").start()
    while not wait([solved], _POLL).done:
        watch.tell(0.0)
    return solved.result()


def _solve(published: Published, solved: Future[Array]) -> None:
    try:
        solved.set_result(_optimum(published))
    except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that waits
        solved.set_exception(error)
    finally:
        _SOLVERS.release()


def _optimum(published: Published) -> Array:
    groups = published.groups.astype(np.float64)
    questions, people = groups.shape
    method: Literal["highs-ds", "highs-ipm"] = "highs-ds" if groups.size <= LARGEST_SIMPLEX else "highs-ipm"
    found = linprog(
        np.concatenate([-published.answers, np.ones(people)]),
        A_ub=hstack([csc_array(groups.T), -eye_array(people)], format="csc"),
        b_ub=np.zeros(people),
        bounds=[(-1.0, 1.0)] * questions + [(0.0, np.inf)] * people,
        method=method,
        options={"time_limit": SECONDS, "presolve": False},
    )
    if found.status != 0:
        raise DPEngineError(f"The linear program could not be solved within {SECONDS:g} seconds.")
    return np.clip(-np.asarray(found.ineqlin.marginals, dtype=np.float64), 0.0, 1.0)


def least_squares(published: Published, watch: Watch = UNWATCHED) -> Array:
    """The numbers (people) whose group counts miss the published ones by the least sum of squares.

    Where there are fewer questions than people, the ones nearest to 1/2. Found step by step (Fong and Saunders 2011):
    libraries for dense matrices start a thread for each core, and then wait for one another on a busy server.
    """
    watch.tell(0.0)
    missing = published.answers - published.sizes / 2.0
    groups = csr_array(published.groups.astype(np.float64))
    found = lsmr(groups, missing, atol=_NEAR, btol=_NEAR, conlim=0.0, maxiter=_STEPS_EACH * groups.shape[1])
    return 0.5 + np.asarray(found[0], dtype=np.float64)


DECODERS: Mapping[str, Decoder] = {LINEAR_PROGRAM: linear_program, LEAST_SQUARES: least_squares}
"""The attackers by name; each returns numbers that are rounded at 1/2."""


def decoder_of(name: str) -> Decoder:
    """The attacker of this name. Raises InvalidParameterError."""
    if name not in DECODERS:
        raise InvalidParameterError("decoder", name, "one of " + ", ".join(DECODERS))
    return DECODERS[name]
