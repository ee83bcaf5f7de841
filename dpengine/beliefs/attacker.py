"""The best attacker of one run: hits against false alarms, and how often a guess is right."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from dpengine.errors import require_kind, require_whole
from dpengine.losses import delta_of, false_negative_rate
from dpengine.losses.arrays import Array, Numbers, like, numbers
from dpengine.privacy import ApproximateEvent, Event, Guarantee

_DEEPEST = 16.0


def best_success(promise: Event | Guarantee, *, prior: Numbers) -> Numbers:
    """Largest probability with which any attacker guesses right whether one person's data was used.

    (1 - prior) + prior delta(ln((1 - prior) / prior)); for a mere guarantee, against the worst mechanism that keeps it.
    Source: the Bayes risk of the pair; Balle, Barthe, Gaboardi 2018, section 2, for the profile.
    """
    beliefs = numbers("prior", prior, 0.0, 1.0)
    inside = np.clip(beliefs, 1e-300, 1.0 - 1e-16)
    gain = inside * delta_of(_event(promise), epsilon=np.asarray(-logit(inside)))
    return like(prior, np.where(beliefs == 1.0, 1.0, np.minimum(1.0 - beliefs + gain, 1.0)))


def true_positive_rate(promise: Event | Guarantee, *, false_positive_rate: Numbers) -> Numbers:
    """Largest share of hits of any attacker who raises false alarms at this rate. Raises UnsupportedEventError.

    Source: Dong, Roth, Su 2022, section 2.1, as one minus the trade-off curve.
    """
    rates = numbers("false_positive_rate", false_positive_rate, 0.0, 1.0)
    return like(false_positive_rate, 1.0 - false_negative_rate(_event(promise), false_positive_rate=rates))


def receiver_operating_curve(promise: Event | Guarantee, *, points: int = 201) -> tuple[Array, Array]:
    """False alarm rates and the best attacker's hits at them, from (0, .) to (1, 1); denser towards both ends."""
    require_whole("points", points, least=2)
    rates = expit(np.linspace(-_DEEPEST, _DEEPEST, points))
    rates[0], rates[-1] = 0.0, 1.0
    return rates, true_positive_rate(promise, false_positive_rate=rates)


def _event(promise: Event | Guarantee) -> Event:
    require_kind("promise", promise, Event | Guarantee)
    if isinstance(promise, Guarantee):
        return ApproximateEvent(epsilon=promise.epsilon, delta=promise.delta)
    return promise
