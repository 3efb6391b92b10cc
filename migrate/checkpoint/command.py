r"""Converts checkpoints between Estimator and Keras, with optimizer state and step.

    python -m migrate checkpoint inspect CHECKPOINT [--format=json]
    python -m migrate checkpoint map OLD NEW [--output=FILE] [--map=FILE]
    python -m migrate checkpoint convert OLD --output=NEW (--like=TEMPLATE | --model=MODULE:NAME)
        [--keras=3] [--params=JSON] [--input=MODULE:NAME] [--map=FILE] [--leave-out=PATTERN] ...
    python -m migrate checkpoint diff LEFT RIGHT [--map=FILE] [--rtol=R] [--atol=A]

A CHECKPOINT is a prefix (model_dir/model.ckpt-1000), a folder (its latest), a SavedModel's folder,
or a .weights.h5, .keras or .h5 file. `map` pairs the variables of two checkpoints and prints the
pairs as a file to be edited. `convert` refuses variables that are unmatched or do not fit, and says
how to settle them. docs/checkpoints.md has more.

Exit codes:
  0  success, or no difference
  1  the checkpoints differ, or the map has open entries
  2  misuse, a damaged file, or a conversion that was refused
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from migrate import command_line
from migrate.checkpoint.conversion.plans import Options, variables
from migrate.checkpoint.naming.mapping import TensorMap, propose
from modern.process import chosen_keras, cli, quiet_import

if TYPE_CHECKING:
    from migrate.checkpoint import comparing
    from migrate.checkpoint.conversion import models

_SHOWN = 10  # Largest number of differences that diff prints.
_KINDS = ("name-based", "object-based", "SavedModel", "weights.h5", "h5", "keras")


def main(argv: Sequence[str]) -> int:
    """Runs one of the four commands.

    Args:
      argv: Name of the command and its arguments.

    Returns:
      The exit code.

    Raises:
      cli.UsageError: An argument is wrong. Nothing was written.
    """
    arguments = _parser().parse_args(argv)
    if getattr(arguments, "keras", "2") == "3":
        chosen_keras.choose(3)
    quiet_import.import_tensorflow()
    return arguments.run(arguments)


def _parser() -> argparse.ArgumentParser:
    shape: dict[str, Any] = {
        "formatter_class": argparse.RawDescriptionHelpFormatter,
        "allow_abbrev": False,
    }
    parser = command_line.parser("checkpoint", __doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    inspect = commands.add_parser("inspect", help="shows the content of a checkpoint", **shape)
    inspect.add_argument("checkpoint")
    _add_format(inspect)
    inspect.set_defaults(run=_inspect)

    map_ = commands.add_parser("map", help="pairs the variables of two programs", **shape)
    map_.add_argument("old")
    map_.add_argument("new", nargs="?")
    _add_model(map_)
    map_.add_argument("--output", metavar="FILE", help="output file (default: standard output)")
    _add_pairing(map_)
    map_.set_defaults(run=_map)

    convert = commands.add_parser("convert", help="writes a checkpoint of another kind", **shape)
    _add_convert(convert)
    convert.set_defaults(run=_convert)

    diff = commands.add_parser("diff", help="compares two checkpoints of any kind", **shape)
    diff.add_argument("left")
    diff.add_argument("right")
    diff.add_argument("--rtol", type=float, default=0.0, help="relative tolerance; default 0")
    diff.add_argument("--atol", type=float, default=0.0, help="absolute tolerance; default 0")
    _add_pairing(diff)
    _add_state(diff)
    _add_format(diff)
    diff.set_defaults(run=_diff)
    return parser


def _add_convert(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old")
    parser.add_argument(
        "--output", required=True, metavar="PATH", help="prefix, folder, .weights.h5, .keras or .h5"
    )
    parser.add_argument(
        "--like", metavar="TEMPLATE", help="a checkpoint of the new program, of the output's kind"
    )
    _add_model(parser)
    parser.add_argument(
        "--kind", choices=_KINDS, help="kind of the output, if its name does not decide it"
    )
    _add_pairing(parser)
    _add_state(parser)
    parser.add_argument("--cast", action="store_true", help="allow values to change their dtype")
    parser.add_argument(
        "--reshape",
        action="store_true",
        help="allow values to change their shape, in the same order",
    )
    parser.add_argument("--overwrite", action="store_true", help="replace an existing output")


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        metavar="MODULE:NAME",
        help="class of the new program's Keras model, or function that returns it; with --like or "
        "--kind=name-based, that of OLD, a .weights.h5 file",
    )
    parser.add_argument(
        "--keras",
        choices=[str(version) for version in chosen_keras.VERSIONS],
        default="2",
        help="Keras of --model: 2 for tf_keras, 3 for Keras 3; default 2",
    )
    parser.add_argument(
        "--params", metavar="JSON|MODULE:NAME", help="params of --model, if it takes any"
    )
    parser.add_argument(
        "--input", metavar="MODULE:input_fn", help="a first batch, if --model needs one"
    )


def _model(arguments: argparse.Namespace) -> models.Model | None:
    """Returns the model that the flags name, or None without --model."""
    from migrate import loading
    from migrate.checkpoint.conversion import models

    for name in ("params", "input"):
        if getattr(arguments, name) and not arguments.model:
            raise cli.UsageError(f"--{name}={getattr(arguments, name)} needs --model.")
    if not arguments.model:
        if arguments.keras != "2":
            raise cli.UsageError(f"--keras={arguments.keras} needs --model.")
        return None
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    params = loading.parameters(arguments.params, "--params")
    return models.Model(arguments.model, params, arguments.input)


def _add_pairing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--map", metavar="FILE", help="pairs of variables that are certain")
    parser.add_argument(
        "--leave-out",
        action="append",
        default=[],
        metavar="PATTERN",
        help="leave out names of the old program",
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="PATTERN",
        help="keep names of the new program as they are",
    )


def _add_state(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--weights-only", action="store_true", help="carry no optimizer state and no step"
    )
    parser.add_argument(
        "--use-averages", action="store_true", help="moving averages in place of their variables"
    )
    parser.add_argument(
        "--learning-rate",
        type=float,
        metavar="RATE",
        help="learning rate of the next step, for momentum",
    )
    parser.add_argument("--beta_1", type=float, help="beta_1 of Adam, if it was not 0.9")
    parser.add_argument("--beta_2", type=float, help="beta_2 of Adam, if it was not 0.999")
    parser.add_argument(
        "--step", type=int, metavar="N", help="step to write instead of the old one"
    )
    parser.add_argument(
        "--forget-bias",
        type=float,
        metavar="B",
        help="forget_bias of the old LSTM cells; default: that of the graph, or 1",
    )
    parser.add_argument(
        "--slot",
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="pair of slots of a custom optimizer",
    )


def _add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("table", "json"), default="table")


def _inspect(arguments: argparse.Namespace) -> int:
    from rich.console import Console

    from migrate.checkpoint import inspecting
    from migrate.checkpoint.formats import sources

    summary = inspecting.summary(sources.open_source(arguments.checkpoint))
    if arguments.format == "json":
        print(json.dumps(summary, indent=2))
    else:
        inspecting.show(summary, Console(highlight=False))
    return 0


def _map(arguments: argparse.Namespace) -> int:
    from migrate.checkpoint.cells import layout_view
    from migrate.checkpoint.conversion import models
    from migrate.checkpoint.formats import sources

    if bool(arguments.new) == bool(arguments.model):
        raise cli.UsageError("give either the new program's checkpoint or --model.")
    old = sources.open_source(arguments.old)
    with tempfile.TemporaryDirectory() as folder:
        model = _model(arguments)
        if model:
            new = models.template(model, "object-based", folder)
        else:
            new = sources.open_source(arguments.new)
        given = _read_map(arguments)
        view = layout_view.like(new, old, given, has_slots=False)
        tensor_map = propose(
            variables(view.stored, arguments.leave_out),
            variables(new.stored, arguments.keep),
            given,
        )
    for line in (*view.problems, *view.notes):
        print(f"note: {line}", file=sys.stderr)
    if arguments.output:
        tensor_map.write(arguments.output)
    else:
        print(tensor_map.text(), end="")
    open_count = len(tensor_map.ambiguous) + len(tensor_map.only_left) + len(tensor_map.only_right)
    where = f" in {arguments.output}" if arguments.output else ""
    print(f"{len(tensor_map.pairs)} paired, {open_count} to be settled{where}", file=sys.stderr)
    return 0 if tensor_map.complete else 1


def _convert(arguments: argparse.Namespace) -> int:
    from migrate.checkpoint.conversion import converter

    conversion = converter.convert(
        arguments.old,
        arguments.output,
        like=arguments.like,
        model=_model(arguments),
        kind=arguments.kind,
        given=_read_map(arguments),
        options=_options(arguments),
        overwrite=arguments.overwrite,
    )
    carried_count = sum(
        1 for move in conversion.plan.moves if move.source or move.value is not None
    )
    for note in conversion.plan.notes:
        print(f"note: {note}", file=sys.stderr)
    print(
        f"{arguments.output}: {conversion.kind}, {carried_count} tensors carried over and "
        f"{len(conversion.plan.moves) - carried_count} as in the template; read back and equal to "
        "the last bit"
    )
    return 0


def _diff(arguments: argparse.Namespace) -> int:
    from migrate.checkpoint import comparing
    from migrate.checkpoint.formats import sources

    comparison = comparing.compare(
        sources.open_source(arguments.left),
        sources.open_source(arguments.right),
        _read_map(arguments),
        _options(arguments),
        arguments.rtol,
        arguments.atol,
    )
    if arguments.format == "json":
        differences = [vars(difference) for difference in comparison.values]
        print(
            json.dumps(
                {**vars(comparison), "values": differences, "same": comparison.same}, indent=2
            )
        )
    else:
        _show_differences(comparison)
    return 0 if comparison.same else 1


def _show_differences(comparison: comparing.Comparison) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, soft_wrap=True)
    for line in comparison.structure:
        console.print(f"- {line}", markup=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("left", "right", "differing", "largest", "relative"):
        table.add_column(column, overflow="fold")
    for difference in comparison.values[:_SHOWN]:
        share = f"{difference.differing} of {difference.elements}"
        table.add_row(
            difference.left,
            difference.right,
            share,
            f"{difference.largest:.3g}",
            f"{difference.relative:.3g}",
        )
    if comparison.values:
        console.print(table)
        hidden_count = len(comparison.values) - _SHOWN
        if hidden_count > 0:
            console.print(f"and {hidden_count} more")
    outside_count = sum(1 for difference in comparison.values if difference.differing)
    console.print(
        f"{comparison.compared} tensors compared: {comparison.identical} are equal to the last "
        f"bit, {outside_count} outside of the tolerances; {len(comparison.structure)} differences "
        "in structure"
    )


def _read_map(arguments: argparse.Namespace) -> TensorMap | None:
    return TensorMap.read(arguments.map) if arguments.map else None


def _options(arguments: argparse.Namespace) -> Options:
    pairs = [text.partition("=") for text in arguments.slot]
    for text, (old, _, new) in zip(arguments.slot, pairs, strict=True):
        if not old or not new:
            raise cli.UsageError(f"--slot={text} is not of the form OLD=NEW.")
    return Options(
        leave_out=tuple(arguments.leave_out),
        keep=tuple(arguments.keep),
        weights_only=arguments.weights_only,
        use_averages=arguments.use_averages,
        learning_rate=arguments.learning_rate,
        beta_1=arguments.beta_1,
        beta_2=arguments.beta_2,
        step=arguments.step,
        forget_bias=arguments.forget_bias,
        cast=getattr(arguments, "cast", False),
        reshape=getattr(arguments, "reshape", False),
        slots={old: new for old, _, new in pairs},
    )
