"""A plan as comma-separated numbers: one row for every noisy part, with all digits, safe for spreadsheets."""

from __future__ import annotations

from dpengine.plan.amounts import RULE_NAMES
from dpengine.reports.histories.history_csv import sql_of
from dpengine.reports.same_questions import in_words_of, told_apart
from dpengine.reports.scripts.recipe import Recipe, recipes
from dpengine.reports.spreadsheets import comma_separated
from dpengine.reports.who import NEIGHBORS
from dpengine.scenario import Scenario

COLUMNS = (
    *("question_number", "question", "sql", "part", "noise", "sensitivity_steps", "step", "unit"),
    *("scale_steps", "scale", "epsilon", "delta", "rho", "neighbors", "rule", "budget_epsilon", "budget_delta"),
)


def plan_csv(plan: Scenario) -> str:
    """Every noisy part of every question: how far one person can change it, its noise, its price. No row was read.

    The scale stands in grid steps and in units of `unit` (rows, for a choice); a Gaussian one is a standard deviation
    before it is made discrete.
    """
    asked = told_apart([(planned, plan.schema) for planned in plan.queries], in_words_of(plan.spoken))
    return comma_separated(COLUMNS, (_row(plan, recipe, asked[recipe.question - 1]) for recipe in recipes(plan)))


def _row(plan: Scenario, recipe: Recipe, asked: str) -> tuple[object, ...]:
    query = plan.queries[recipe.question - 1].query
    return (
        *(recipe.question, asked, sql_of(query, plan.schema), recipe.part, recipe.noise),
        *(recipe.sensitivity, recipe.step, recipe.unit, recipe.scale, recipe.scale * recipe.step),
        *(recipe.epsilon, recipe.delta, recipe.rho, NEIGHBORS[plan.neighbors], RULE_NAMES[plan.rule]),
        *(plan.budget.epsilon, plan.budget.delta),
    )
