"""Level 1: compares the variables: number, pairs, shapes, types and trainability."""

from __future__ import annotations

from migrate.verify import results
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import legacy_model, whole_variables

TITLE = "variables"
_WHY = "Names, shapes, types and what is trained are equal or not."


def run(case: case_lib.Case) -> results.Level:
    """Compares the variables of both sides in pairs."""
    level = results.Level(1, TITLE, why=_WHY)
    variables = case_lib.model_variables(case.graphs)
    counts = len(variables), len(case.port.names)
    of = "" if {*counts} == {len(case.pairs)} else f", of {counts[0]} and {counts[1]}"
    level.compared = f"{len(case.pairs)} pairs{of}"
    for name in case.map.only_left:
        level.findings.append(f"{name} {variables[name].shape} has no counterpart in the port.")
    for name in case.map.only_right:
        shape = tuple(case.port.names[name].shape)
        level.findings.append(f"The port has {name} {shape}, which the model_fn does not have.")
    for old, new in case.pairs.items():
        level.findings.extend(_differences(case, variables[old], new))
    if case.map.left_out:
        level.notes.append(f"Left out by the map: {results.some(case.map.left_out)}.")
    if case.map.initialized:
        level.notes.append(f"The port's own, by the map: {results.some(case.map.initialized)}.")
    return level.conclude()


def _differences(case: case_lib.Case, variable: whole_variables.Variable, new: str) -> list[str]:
    """Returns the differences of a pair."""
    weight = case.port.names[new]
    pair = variable.name if variable.name == new else f"{variable.name} (in the port: {new})"
    findings = []
    shape = tuple(weight.shape)
    if shape != variable.shape:
        hint = ": a transposed kernel?" if shape == variable.shape[::-1] else "."
        findings.append(f"{pair} has shape {variable.shape}, in the port {shape}{hint}")
    if weight.dtype.name != variable.dtype:
        findings.append(f"{pair} is {variable.dtype}, in the port {weight.dtype.name}.")
    graph = case.graphs[legacy_model.TRAIN]
    is_trained = variable.name in graph.trained_names
    if is_trained == (new in case.port.trainable):
        return findings
    # Trainability has no effect on a variable that the loss does not depend on.
    if graph.gradients.get(variable.name) is not None:
        findings.append(
            f"{pair} is {'trained' if is_trained else 'not trained'} by the model_fn; in the port "
            f"it is {'frozen' if is_trained else 'trainable'}."
        )
    return findings
