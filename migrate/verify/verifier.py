"""Runs the levels of a verification. Each level runs only if the one before holds.

report = verifier.verify(model_fn, build_model, input_fn, params={"learning_rate": 0.1})
report.verdict, report.exit_code
"""

from __future__ import annotations

import datetime
import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import tf_keras

from migrate import batches as batches_lib
from migrate import loading
from migrate.checkpoint.naming import mapping
from migrate.verify import checkpoints, defaults, results
from migrate.verify.backends import running
from migrate.verify.levels import backend as backend_level
from migrate.verify.levels import (
    forward,
    gradient,
    loss,
    metrics,
    scratch,
    steps,
    variables,
)
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import legacy_model
from migrate.verify.sides import port as port_lib
from modern.process import cli, versions

_WARNINGS = 3  # Largest number of quoted warnings.


def verify(
    model_fn: Callable[..., Any],
    build_model: Callable[..., Any],
    input_fn: Callable[..., Any],
    *,
    params: Any = None,
    eval_input_fn: Callable[..., Any] | None = None,
    adapt: Callable[..., Any] | None = None,
    backend: running.Asked | None = None,
    tensor_map: mapping.TensorMap | None = None,
    metric_names: Mapping[str, str] | None = None,
    checkpoint: str | None = None,
    update_steps: int = defaults.UPDATE_STEPS,
    eval_batches: int = defaults.EVAL_BATCHES,
    trials: scratch.Trials | None = None,
) -> results.Report:
    """Checks whether a Keras model is the same as a model_fn.

    Clears Keras' global state (`tf_keras.backend.clear_session`), so that layers are numbered as in
    a new process. Sets Keras' seeds (`tf_keras.utils.set_random_seed`), so that repeated calls give
    the same answer.

    Args:
      model_fn: Unmodified model_fn of an Estimator.
      build_model: Function that returns the compiled port, or class of the port. Either may take
        params. An uncompiled model with `make_optimizer()` is compiled with its result. The model
        is one of the chosen Keras (`modern.process.chosen_keras`).
      input_fn: Function that yields the training data: a Dataset, or (features, labels).
      params: Params of the model_fn, and of the port if it takes any.
      eval_input_fn: Function that yields the evaluation data. None uses `input_fn`.
      adapt: Function from (features, labels), as tensors, to the arguments of the port's `fit`.
      backend: Another backend of Keras 3 for level 8, with the names of the port and its params,
        which another process builds. None leaves the level out.
      tensor_map: Pairs of variables. None proposes them.
      metric_names: Maps a legacy metric to the port's, if their names do not match.
      checkpoint: Estimator's checkpoint. Its weights, slots and step replace random weights and
        fresh slots.
      update_steps: Training steps of level 5, at least 1.
      eval_batches: Largest number of batches of level 6.
      trials: Settings of level 7. None leaves it out.

    Returns:
      The report.

    Raises:
      case.Undecided: The variables cannot be paired with certainty.
      cli.UsageError: A side cannot be built or fed, or the checkpoint cannot be read.
    """
    start = time.monotonic()
    tf_keras.utils.set_random_seed(1)
    program = legacy_model.Program(model_fn, params)
    port = port_lib.Port(build_model, program.params, adapt)
    count = update_steps if trials is None else max(update_steps, min(trials.steps, eval_batches))
    training_batches = batches_lib.draw(
        input_fn, count, {"mode": "train", "params": program.params}
    )
    first = batches_lib.Batches(
        training_batches.items[:update_steps], training_batches.specs, False
    )
    evaluation_batches = batches_lib.draw(
        eval_input_fn or input_fn, eval_batches, {"mode": "eval", "params": program.params}
    )
    checkpoint_values = checkpoints.read(checkpoint) if checkpoint else None
    with (
        warnings.catch_warnings(record=True) as caught_warnings,
        case_lib.open_case(program, port, first, tensor_map, checkpoint_values) as case,
    ):
        warnings.simplefilter("always")
        todo = [
            (variables, lambda: variables.run(case)),
            (forward, lambda: forward.run(case)),
            (loss, lambda: loss.run(case)),
            (gradient, lambda: gradient.run(case)),
            (steps, lambda: steps.run(case, update_steps)),
            (metrics, lambda: metrics.run(case, evaluation_batches, metric_names)),
        ]
        if trials is not None:
            todo.append(
                (
                    scratch,
                    lambda: scratch.run(
                        program, port, training_batches, evaluation_batches, trials, metric_names
                    ),
                )
            )
        levels = _climb(todo)
        if backend is not None:
            levels.append(_of_backend(case, levels, evaluation_batches, backend, update_steps))
        randomness = _randomness(case, trials)
        notes = _notes(case, checkpoint_values is not None, caught_warnings)
        pairs = dict(case.pairs)
    return results.Report(
        levels=levels,
        pairs=pairs,
        asked=_compared_objects(model_fn, build_model, input_fn, checkpoint),
        versions=versions.installed(),
        randomness=randomness,
        notes=notes,
        created=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        seconds=time.monotonic() - start,
    )


def _climb(todo: list[tuple[Any, Callable[[], results.Level]]]) -> list[results.Level]:
    """Runs the levels in order while they hold.

    Later levels are NOT_REACHED. Without trials, level 7 is NOT_ASKED.
    """
    levels: list[results.Level] = []
    holds = True
    for number, (module, run) in enumerate(todo, 1):
        if holds:
            start = time.monotonic()
            level = _run(number, module, run)
            level.seconds = time.monotonic() - start
            holds = level.verdict == results.SAME
        else:
            level = results.Level(number, module.TITLE)
        levels.append(level)
    if len(levels) < scratch.NUMBER:
        levels.append(results.Level(scratch.NUMBER, scratch.TITLE, results.NOT_ASKED))
    return levels


def _of_backend(
    case: case_lib.Case,
    levels: list[results.Level],
    evaluation: batches_lib.Batches,
    backend: running.Asked,
    update_steps: int,
) -> results.Level:
    """Runs level 8 if all levels before hold that were asked for."""
    if not {level.verdict for level in levels} <= {results.SAME, results.NOT_ASKED}:
        return results.Level(backend_level.NUMBER, backend_level.TITLE)
    start = time.monotonic()
    level = _run(
        backend_level.NUMBER,
        backend_level,
        lambda: backend_level.run(case, evaluation, backend, update_steps),
    )
    level.seconds = time.monotonic() - start
    return level


def _run(number: int, module: Any, run: Callable[[], results.Level]) -> results.Level:
    """Runs a level. An error in one of the two programs becomes a finding."""
    try:
        return run()
    except legacy_model.NoSpec as error:
        return results.Level(number, module.TITLE, results.UNKNOWN, findings=[str(error)])
    except cli.UsageError:
        raise
    except Exception as error:
        finding = f"One of the programs failed: {port_lib.describe_error(error)}"
        return results.Level(number, module.TITLE, results.UNKNOWN, findings=[finding])


def _randomness(case: case_lib.Case, trials: scratch.Trials | None) -> list[str]:
    """Returns the sources of randomness that were switched off, and the method."""
    dropouts = case.graphs[legacy_model.TRAIN].dropouts
    rates = sorted({f"{d.rate:g}" for d in dropouts if d.rate is not None})
    lines = [
        f"Dropout: switched off on both sides ({len(dropouts)} places in the model_fn, of rate "
        f"{', '.join(rates)}); the rates are compared in level 2."
        if dropouts
        else "Dropout: the model_fn has none.",
        "Initializers: not compared, because both sides get the same weights.",
        "Shuffling and augmentation in the input_fn: its batches were drawn once, and both sides "
        "got the same.",
    ]
    if trials is not None:
        lines.append("Level 7 uses all of them, with other seeds on each side.")
    return lines


def _notes(
    case: case_lib.Case, from_checkpoint: bool, caught_warnings: list[warnings.WarningMessage]
) -> list[str]:
    """Returns the limits of the verdict."""
    graph = case.graphs[legacy_model.TRAIN]
    notes = [
        "Compared on this machine: the verdict does not cover distribution or speed.",
        "The weights are those of the checkpoint."
        if from_checkpoint
        else "The weights are random, with the spread of the program's own initializers. Biases "
        "and batch-norm's parameters and averages get values other than 0 and 1.",
    ]
    hooks = sorted({hook for mode_graph in case.graphs.values() for hook in mode_graph.hooks})
    if hooks:
        notes.append(f"Hooks of the model_fn were not run: {', '.join(hooks)}.")
    if legacy_model.EVAL not in case.graphs:
        notes.append(
            "The model_fn returns nothing in evaluation: its loss is compared in training."
        )
    scaffold = graph.scaffold
    if scaffold is not None and (scaffold.init_fn is not None or scaffold.init_op is not None):
        notes.append(
            "The Scaffold's initialization was not run in levels 1 to 6 (weights are set)."
        )
    messages = dict.fromkeys(str(w.message) for w in caught_warnings if w.category is UserWarning)
    notes += [f"Warning: {text}" for text in list(messages)[:_WARNINGS]]
    return notes


def _compared_objects(
    model_fn: Callable[..., Any],
    build_model: Callable[..., Any],
    input_fn: Callable[..., Any],
    checkpoint: str | None,
) -> dict[str, Any]:
    """Returns the two programs and the checkpoint, with their hashes."""
    return {
        "legacy": _source(model_fn),
        "modern": _source(build_model),
        "input": _source(input_fn),
        "checkpoint": checkpoints.hashes(checkpoint) if checkpoint else [],
    }


def _source(function: Callable[..., Any]) -> dict[str, str]:
    function = getattr(function, "func", function)  # Unwraps a functools.partial.
    name = f"{function.__module__}:{getattr(function, '__qualname__', type(function).__name__)}"
    return {"name": name, "file": "", "sha256": "", **loading.source(function)}
