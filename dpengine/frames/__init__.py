"""What a picture that follows the hand draws at each epsilon: plain numbers, one frame for every step of the dial."""

from dpengine.frames.frame import COLUMNS, POINTS, PRIORS, Bell, Candidates, Frame, FrameView, frame, possible_answers
from dpengine.frames.grid import EPSILONS, position

__all__ = [
    "COLUMNS",
    "EPSILONS",
    "POINTS",
    "PRIORS",
    "Bell",
    "Candidates",
    "Frame",
    "FrameView",
    "frame",
    "position",
    "possible_answers",
]
