r"""Forecasts the speed of the ways on another network, from the report of a comparison.

    python -m benchmarks.forecast report/report.json --network=10Gbit --latency=0.2ms \
        --workers=8 --ps=2

Prints examples per second and efficiency for 1 to --workers workers in each way of the report, the
assumptions, and advice. Draws them on the page --output. --model_bytes forecasts a model of another
size, and --shared_machine a cluster whose tasks share the cores of one machine, as in the
comparison. docs/forecast.md explains the model and its accuracy. Nothing is trained. Exit code: 0,
or 2 if the report or a flag cannot be used.
"""

from __future__ import annotations

import pathlib

import rich.box
import rich.console
import rich.table
from absl import flags

from benchmarks.forecasting import advice, calibration, network, page
from benchmarks.forecasting.forecast import Forecast
from benchmarks.forecasting.step_times import Cluster
from modern.process import choices, cli, folders

FLAGS = flags.FLAGS


def define_flags() -> None:
    """Defines the flags."""
    flags.DEFINE_string(
        "network", None, "Rate of each machine's link in each direction: 10Gbit, 100Mbit."
    )
    flags.DEFINE_string("latency", "0.2ms", "Time of a small message from machine to machine.")
    flags.DEFINE_integer("workers", 8, "Largest number of workers, the trainers.", lower_bound=1)
    flags.DEFINE_integer("ps", 1, "Parameter servers.", lower_bound=1)
    flags.DEFINE_integer(
        "model_bytes", None, "Size of the weights; default: the report's.", lower_bound=1
    )
    flags.DEFINE_enum(
        "gradient_compression", "none", choices.GRADIENT_COMPRESSIONS, "As in modern.train."
    )
    flags.DEFINE_boolean("shared_machine", False, "All tasks share the cores of one machine.")
    flags.DEFINE_string("output", None, "The page; default: forecast.html next to the report.")


def main(argv: list[str]) -> int:
    """Prints the forecast and writes its page. Returns the exit code."""
    if len(argv) != 2:
        raise cli.UsageError(
            "give one report: python -m benchmarks.forecast report/report.json --network=10Gbit."
        )
    if FLAGS.network is None:
        raise cli.UsageError("--network is missing: give the rate of a link, such as 10Gbit.")
    cluster = Cluster(
        network.Network.parse(FLAGS.network, FLAGS.latency),
        FLAGS.ps,
        FLAGS.shared_machine,
        FLAGS.model_bytes,
        1.0 if FLAGS.gradient_compression == "none" else advice.HALF,
    )
    report = pathlib.Path(argv[1]).expanduser()
    output = pathlib.Path(FLAGS.output or report.with_name("forecast.html")).expanduser()
    forecast = Forecast(calibration.read(report), cluster, FLAGS.workers)
    folders.check_writable(output.parent, "--output")
    _print(forecast, rich.console.Console())
    print(page.write(forecast, output))
    return 0


def _print(forecast: Forecast, console: rich.console.Console) -> None:
    table = rich.table.Table(box=rich.box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("workers", justify="right")
    for way in forecast.costs:
        # In one line, long names would exceed 80 columns.
        table.add_column(way.replace("_", "_\n"), justify="right", overflow="fold")
    for workers in forecast.numbers:
        cells = [
            f"{forecast.cluster.speed(cost, workers):,.0f}\n"
            f"{forecast.cluster.efficiency(cost, workers):.0%}"
            for cost in forecast.costs.values()
        ]
        table.add_row(str(workers), *cells)
    console.print(table)
    console.print("Examples per second, and efficiency.\n")
    for title, sentences in (("Assumptions", forecast.assumptions), ("Advice", forecast.advice)):
        console.print(f"{title}:")
        for sentence in sentences:
            console.print(f"- {sentence}", markup=False, highlight=False, soft_wrap=True)


if __name__ == "__main__":
    define_flags()
    cli.run(main, misuse=(network.NetworkError, calibration.ReportError), takes_arguments=True)
