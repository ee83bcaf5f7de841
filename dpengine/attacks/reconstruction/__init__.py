"""Reconstruction: many innocent counts of random groups, put together, give every secret bit away.

Source: Dinur and Nissim 2003; Dwork and Roth 2014, section 8.1.
"""

from dpengine.attacks.reconstruction.chosen import StoppedAttack, share_guessed_wrong, wrong_at_most
from dpengine.attacks.reconstruction.cost import (
    GAUSSIAN,
    LAPLACE,
    ReconstructionBill,
    bill,
    noise_for_budget,
    noise_of_size,
    sampling_error,
    success_bound,
)
from dpengine.attacks.reconstruction.curves import (
    CURVE_RUNS,
    Budget,
    Curve,
    Growth,
    LargestError,
    NoiseRule,
    against_noise,
    against_people,
    against_questions,
)
from dpengine.attacks.reconstruction.decoding import (
    DECODERS,
    LEAST_SQUARES,
    LINEAR_PROGRAM,
    least_squares,
    linear_program,
)
from dpengine.attacks.reconstruction.exhaustive import MISLEADING, RANDOM, Exhausted, try_everything, worst_found
from dpengine.attacks.reconstruction.published import BoundedError, GroupCounts, Noise, Published, publish
from dpengine.attacks.reconstruction.runs import Reconstruction, Runs, reconstruct, repeated

__all__ = [
    "CURVE_RUNS",
    "DECODERS",
    "GAUSSIAN",
    "LAPLACE",
    "LEAST_SQUARES",
    "LINEAR_PROGRAM",
    "MISLEADING",
    "RANDOM",
    "BoundedError",
    "Budget",
    "Curve",
    "Exhausted",
    "GroupCounts",
    "Growth",
    "LargestError",
    "Noise",
    "NoiseRule",
    "Published",
    "Reconstruction",
    "ReconstructionBill",
    "Runs",
    "StoppedAttack",
    "against_noise",
    "against_people",
    "against_questions",
    "bill",
    "least_squares",
    "linear_program",
    "noise_for_budget",
    "noise_of_size",
    "publish",
    "reconstruct",
    "repeated",
    "sampling_error",
    "share_guessed_wrong",
    "success_bound",
    "try_everything",
    "worst_found",
    "wrong_at_most",
]
