"""Checks whether a Keras model is the same as a model_fn.

    python -m migrate verify --legacy=my_job.model:model_fn --modern=my_port:build_model
        --input=my_job.data:input_fn [--params='{"learning_rate": 0.1}'] [--checkpoint=model_dir]

Both sides get the same weights and the same batches. They are compared in this order, each level
only if the one before holds: (1) variables, (2) forward pass, layer by layer, (3) loss with
regularization, (4) gradients, (5) training steps, (6) evaluation metrics, (7) with --seeds and
--steps, training from scratch, (8) with --keras=3 and --backend, all of that with JAX or torch.
--legacy is a model_fn, an Estimator, or a function that returns one. --modern is a class of
tf_keras.Model, or a function that returns a compiled model. With --keras=3, it is a model of Keras
3, whose module imports keras. Either may take params.

If variables can be paired in several ways, the command prints a proposed map. Edit it and pass it
with --map=FILE.

Exit codes: 0 the same, 1 different, 2 could not tell.
"""

from __future__ import annotations

import argparse
import inspect
import logging
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

from migrate import command_line
from migrate.verify import defaults
from modern.process import chosen_keras, cli, extras, files, quiet_import


def main(argv: Sequence[str]) -> int:
    """Runs the command.

    Args:
      argv: Arguments of the command.

    Returns:
      The exit code.

    Raises:
      cli.UsageError: An argument is wrong, or a side cannot be built or fed.
    """
    options = _parser().parse_args(argv)
    _check(options)
    _check_installed(options)
    chosen_keras.choose(int(options.keras), beside_tf_keras=True)
    quiet_import.import_tensorflow()
    logging.getLogger("tensorflow").setLevel(logging.ERROR)

    from migrate.verify import report_table, verifier
    from migrate.verify.sides import case

    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    arguments = _load(options)
    try:
        report = verifier.verify(**arguments)
    except case.Undecided as undecided:
        print(undecided.proposal.text(), end="")
        print(
            f"migrate verify: {undecided}\nSettle it in a file like the map above, and give that "
            "with --map=FILE.",
            file=sys.stderr,
        )
        return cli.MISUSE
    except cli.UsageError:
        raise
    except Exception:
        # Python would exit with 1, which means "different".
        traceback.print_exc()
        print("migrate verify: could not tell, because something failed.", file=sys.stderr)
        return cli.MISUSE
    report_table.print_table(report)
    if options.output:
        from migrate.verify import certificate

        for path in certificate.write(report, options.output, list(argv)):
            print(f"Wrote {path}", file=sys.stderr)
    return report.exit_code


def _parser() -> argparse.ArgumentParser:
    parser = command_line.parser("verify", __doc__)
    add = parser.add_argument
    add("--legacy", required=True, metavar="MODULE:NAME", help="the model_fn, or an Estimator")
    add("--modern", required=True, metavar="MODULE:NAME", help="class of the port, or function")
    add("--input", required=True, metavar="MODULE:input_fn", help="input function of both programs")
    add(
        "--eval-input",
        metavar="MODULE:input_fn",
        help="input function of the evaluation (default: --input)",
    )
    add("--params", metavar="JSON|MODULE:NAME", help="params of the model_fn and of the port")
    add(
        "--checkpoint",
        metavar="PREFIX|FOLDER",
        help="checkpoint of an Estimator: weights, slots, step",
    )
    add("--map", metavar="FILE", help="pairs of variables, as in `migrate checkpoint map`")
    add(
        "--adapt",
        metavar="MODULE:function",
        help="(features, labels) -> arguments of the port's fit",
    )
    add(
        "--keras",
        choices=[str(version) for version in chosen_keras.VERSIONS],
        default="2",
        help="Keras of the port: 2 for tf_keras, 3 for Keras 3; default 2",
    )
    add(
        "--backend",
        choices=chosen_keras.BACKENDS,
        default="tensorflow",
        help="with --keras=3: another backend with which the port is also compared (level 8)",
    )
    add("--metric", metavar="LEGACY=PORT", action="append", default=[], help="metrics that pair")
    add(
        "--update-steps",
        type=int,
        default=defaults.UPDATE_STEPS,
        metavar="K",
        help="steps of level 5",
    )
    add(
        "--eval-batches",
        type=int,
        default=defaults.EVAL_BATCHES,
        metavar="N",
        help="most batches of level 6",
    )
    add("--seeds", type=int, default=0, metavar="R", help="trainings per side in level 7")
    add("--steps", type=int, default=0, metavar="N", help="steps of each training in level 7")
    add(
        "--loss-margin",
        type=float,
        default=defaults.LOSS_MARGIN,
        help="level 7: part of the drop in loss",
    )
    add(
        "--metric-margin",
        type=float,
        default=defaults.METRIC_MARGIN,
        help="level 7: difference of a metric",
    )
    add("--output", metavar="DIR", help="a new folder for verify.json and certificate.html")
    return parser


def _check(options: argparse.Namespace) -> None:
    """Refuses invalid arguments before TensorFlow is imported."""
    if options.keras == "3":
        chosen_keras.check_backend("migrate verify")
    if options.backend != "tensorflow" and options.keras != "3":
        raise cli.UsageError(
            f"--backend={options.backend} needs --keras=3: tf_keras runs with TensorFlow alone."
        )
    for name in ("update_steps", "eval_batches"):
        value, option = getattr(options, name), command_line.option(name)
        if value < 1:
            raise cli.UsageError(f"{option}={value}: must be at least 1.")
    if bool(options.seeds) != bool(options.steps):
        raise cli.UsageError("--seeds=R and --steps=N belong together: R trainings of N steps.")
    if options.seeds and (options.seeds < 2 or options.steps < 1):
        raise cli.UsageError(
            f"--seeds={options.seeds} --steps={options.steps}: level 7 takes at least 2 seeds and "
            "1 step; a single training says nothing about the next."
        )
    for name in ("loss_margin", "metric_margin"):
        value, option = getattr(options, name), command_line.option(name)
        if not 0 < value < float("inf"):
            raise cli.UsageError(f"{option}={value}: must be a positive number.")
    files.check_local(options.output or "", "--output", "the certificate is written to a disk")
    if options.output and os.path.exists(options.output):
        raise cli.UsageError(f"--output={options.output} exists already. Name another folder.")
    if options.output and not _can_be_made(options.output):
        raise cli.UsageError(f"--output={options.output} cannot be written there.")
    for pair in options.metric:
        if not all(pair.partition("=")):
            raise cli.UsageError(f"--metric={pair}: must be LEGACY=PORT.")


def _can_be_made(path: str) -> bool:
    """Returns true if a path can be created: its nearest existing parent is a writable folder."""
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.exists(folder):
        return os.path.isdir(folder) and os.access(folder, os.W_OK)
    return _can_be_made(folder)


def _check_installed(options: argparse.Namespace) -> None:
    """Refuses to start if a library is missing that the report would need at the very end."""
    libraries = {"rich": True, "jinja2": options.output, "scipy": options.seeds}
    extras.check("migrate", *(name for name, use in libraries.items() if use))
    if options.backend != "tensorflow":
        extras.check(options.backend, options.backend)


def _old_program(program: Any) -> Any:
    """Returns the model_fn, with the behavior of TensorFlow 1, or the Estimator."""
    from migrate import v1_behavior

    if inspect.isfunction(program) or not hasattr(program, "model_fn"):
        return v1_behavior.during(program)
    return program


def _load(options: argparse.Namespace) -> Mapping[str, Any]:
    """Returns the arguments of `verify`, with references imported."""
    from migrate import loading, old_names, v1_behavior
    from migrate.checkpoint.naming import mapping
    from migrate.verify.backends import running
    from migrate.verify.levels import scratch

    chosen_keras.load()  # Before the old names, which give tf_keras to programs that import keras.
    old_names.show(options.legacy)
    trials = None
    if options.seeds:
        trials = scratch.Trials(
            options.seeds, options.steps, options.loss_margin, options.metric_margin
        )
    functions: dict[str, Any] = {}
    if options.backend != "tensorflow":
        functions["backend"] = running.Asked(options.backend, options.modern, options.params)
    if options.eval_input:
        functions["eval_input_fn"] = v1_behavior.during(
            loading.find_function(options.eval_input, "--eval-input")
        )
    if options.adapt:
        functions["adapt"] = loading.find_function(options.adapt, "--adapt")
    return {
        "model_fn": _old_program(loading.find(options.legacy, "--legacy")),
        "build_model": loading.find_function(options.modern, "--modern"),
        "input_fn": v1_behavior.during(loading.find_function(options.input, "--input")),
        "params": loading.parameters(options.params, "--params"),
        "tensor_map": mapping.TensorMap.read(options.map) if options.map else None,
        "metric_names": dict(pair.split("=", 1) for pair in options.metric),
        "checkpoint": options.checkpoint,
        "update_steps": options.update_steps,
        "eval_batches": options.eval_batches,
        "trials": trials,
        **functions,
    }
