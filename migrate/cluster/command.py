r"""Converts an Estimator's cluster to one for tf.distribute.

    python -m migrate cluster [SOURCE] [--to=WAY] [--batch-size=B] [--learning-rate=R]
    python -m migrate cluster [SOURCE] --check [--to=WAY]
    python -m migrate cluster SOURCE --to=WAY --target=TARGET [--write=DIR]
        [--command="python -m modern.train ..."] [--image=IMAGE] [--volume=NAME:PATH]

SOURCE is a file with a TF_CONFIG or a TFJob (JSON, YAML, a script that sets it), a folder of jobs,
- for standard input, or a value of TF_CONFIG. Without it the command reads the variable TF_CONFIG.
It prints the work of each task, the necessary changes, batch size and learning rate, and the
TF_CONFIG of each new task. --check only checks the cluster: for an Estimator, or unchanged for
--to. --target writes the job for a scheduler, to standard output or as files of --write:
kubernetes, jobset, tfjob, trainjob, slurm, compose or vertex. docs/cluster.md has more.

Exit codes: 0 success, 1 --check found a problem, 2 misuse, or a job that could not be converted.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import pathlib
import shlex
import sys
from collections.abc import Mapping, Sequence

from migrate import command_line
from migrate.cluster import batches, conversion, traffic
from migrate.cluster.conversion import Conversion
from migrate.cluster.old_jobs import jobs, sources, tfjob
from migrate.cluster.old_jobs import workload as workloads
from migrate.cluster.old_jobs.jobs import Job
from migrate.cluster.old_jobs.workload import Workload
from migrate.cluster.results import JobResult, summary, to_dict
from migrate.cluster.targets import base, whole_files
from modern.cluster import tf_config
from modern.process import cli, extras


def main(argv: Sequence[str]) -> int:
    """Runs the command.

    Args:
      argv: Arguments of the command.

    Returns:
      The exit code.

    Raises:
      cli.UsageError: An argument is wrong, or the source is missing. Nothing was written.
    """
    options = _parser().parse_args(argv)
    _check_options(options)
    extras.check("migrate", "rich")
    job_options = sources.JobOptions(options.train_distribute, options.evaluator, options.name)
    job_list = sources.find(options.source, job_options)
    return _check_jobs(job_list, options) if options.check else _convert_jobs(job_list, options)


def _parser() -> argparse.ArgumentParser:
    parser = command_line.parser("cluster", __doc__)
    add = parser.add_argument
    add("source", nargs="?", metavar="SOURCE", help="file, folder, - or TF_CONFIG's value")
    add("--to", choices=conversion.WAYS, help="default: both are described")
    add("--check", action="store_true", help="only report errors")
    add("--format", choices=("text", "json"), default="text")
    add(
        "--train-distribute",
        choices=tf_config.TRAIN_DISTRIBUTE,
        help="the strategy in the old RunConfig (default: none with ps, else collective)",
    )
    add("--evaluator", action="store_true", help="add an evaluator that nothing names")
    add("--batch-size", type=int, metavar="B", help="batch size of the old input_fn, per trainer")
    add("--learning-rate", type=float, metavar="R", help="the old learning rate")
    add("--train-steps", type=int, metavar="N", help="the old TrainSpec's max_steps")
    add(
        "--address",
        action="append",
        default=[],
        metavar="TASK=HOST:PORT",
        help="where a new task runs, such as worker-2=c:2222 (default: beside the chief)",
    )
    add("--target", choices=base.NAMES, help="write the job for it")
    add("--write", metavar="DIR", help="a folder for the files: of --target, or each TF_CONFIG")
    add("--overwrite", action="store_true", help="replace existing files of --write")
    add("--name", help="name of the job, if there is one job")
    add("--command", metavar="WORDS", help="command of the tasks (default: as in the TFJob)")
    add("--image", help="the container image (default: as in the TFJob)")
    add("--volume", metavar="NAME:PATH", help="shared by the tasks of a TF_CONFIG's job")
    return parser


def _check_options(options: argparse.Namespace) -> None:
    """Refuses invalid options before any file is read."""
    for name in ("batch_size", "learning_rate", "train_steps"):
        value = getattr(options, name)
        if value is not None and not 0 < value < float("inf"):
            option = command_line.option(name)
            raise cli.UsageError(f"{option}={value}: must be greater than 0.")
    if options.target and not options.to:
        raise cli.UsageError(
            f"--target={options.target} needs --to=parameter_server or "
            "--to=multi_worker_mirrored: one job is written."
        )
    for name in ("command", "image", "volume"):
        if getattr(options, name) and not options.target:
            raise cli.UsageError(f"--{name} needs --target.")
    if options.check and (options.target or options.write):
        raise cli.UsageError("--check writes nothing: leave out --target and --write.")
    if options.target and options.address:
        raise cli.UsageError(
            f"--address: --target={options.target} gives the tasks their addresses: leave it out."
        )
    if options.volume and not all(options.volume.partition(":")):
        raise cli.UsageError(f"--volume={options.volume}: must be NAME:PATH.")
    if options.name and (os.sep in options.name or options.name.startswith(".")):
        raise cli.UsageError(f"--name={options.name}: files get this name, so it cannot be a path.")
    if options.overwrite and not options.write:
        raise cli.UsageError("--overwrite needs --write.")
    _addresses(options)
    _command(options)


def _command(options: argparse.Namespace) -> list[str]:
    try:
        return shlex.split(options.command or "")
    except ValueError as error:
        raise cli.UsageError(f"--command={options.command}: {error}.") from error


def _addresses(options: argparse.Namespace) -> dict[str, str]:
    pairs = [text.partition("=") for text in options.address]
    for text, (task, _, address) in zip(options.address, pairs, strict=True):
        if not task or not address:
            raise cli.UsageError(f"--address={text}: must be TASK=HOST:PORT.")
    return {task: address for task, _, address in pairs}


def _check_jobs(job_list: Sequence[Job], options: argparse.Namespace) -> int:
    way = options.to or "legacy"
    results = [JobResult(job, tuple(jobs.problems(job, way))) for job in job_list]
    wrong_count = sum(1 for result in results if result.problems)
    if options.format == "json":
        _print_json(results, {})
    else:
        for result in results:
            prefix = "" if result.problems else "right: "
            print(f"{result.job.name}: {prefix}{summary(result.job)} ({result.job.source})")
            for problem in result.problems:
                print(f"  - {problem}")
    strategy = conversion.STRATEGIES.get(way, "Estimator")
    print(f"{_jobs(len(job_list))} checked for {strategy}, {wrong_count} wrong", file=sys.stderr)
    return 1 if wrong_count else 0


def _convert_jobs(job_list: Sequence[Job], options: argparse.Namespace) -> int:
    """Converts all jobs. A job that cannot be converted does not stop the others."""
    results, failures = [], {}
    for job in job_list:
        try:
            results.append(_convert(job, options))
        except cli.UsageError as error:
            failures[job.name] = str(error)
    files = {name: text for result in results for name, text in result.files.items()}
    if options.target and not options.write and options.format == "text":
        _check_one_stream(files, options)
        print("---\n".join(files.values()), end="")
        _print_notes(results)
    else:
        if options.write:
            whole_files.write(files, pathlib.Path(options.write), options.overwrite)
        if options.format == "json":
            _print_json(results, failures)
        else:
            _print_text(results)
    for message in failures.values():
        print(f"migrate cluster: {message}", file=sys.stderr)
    if len(job_list) > 1:
        print(f"{_jobs(len(results))} converted, {len(failures)} not", file=sys.stderr)
    return cli.MISUSE if failures else 0


def _jobs(count: int) -> str:
    return f"{count} job" + ("" if count == 1 else "s")


def _convert(job: Job, options: argparse.Namespace) -> JobResult:
    if job.errors:
        raise cli.UsageError(" ".join(f"{error.rstrip('.')}." for error in job.errors))
    target_workload = _workload(job, options) if options.target else None
    address_of: conversion.AddressFn | None = None
    if target_workload is not None:
        address_of = base.address_fn(options.target, target_workload)
    elif job.workload is not None:
        address_of = _operator_addresses(job.workload)
    ways = [options.to] if options.to else conversion.WAYS
    conversions = tuple(
        conversion.convert(
            job,
            way,
            address_of=address_of,
            chosen_addresses=_addresses(options),
            evaluator=options.evaluator,
        )
        for way in ways
    )
    result = JobResult(
        job,
        tuple(jobs.problems(job, "legacy")),
        conversions,
        tuple(tuple(_choices(job, way, options)) for way in ways),
    )
    if target_workload is not None:
        name = f"{job.name}{base.suffix(options.target)}"
        target_file = base.write(options.target, conversions[0], target_workload)
        return dataclasses.replace(result, files={name: target_file.text}, notes=target_file.notes)
    if options.write:
        return dataclasses.replace(result, files=_tf_configs(job, conversions))
    return result


def _operator_addresses(workload: Workload) -> conversion.AddressFn:
    """Returns a function for the addresses that the operator assigns to a TFJob's tasks."""
    return lambda task_type, index: tfjob.address(workload, task_type, index)


def _choices(job: Job, way: str, options: argparse.Namespace) -> list[batches.Choice]:
    return batches.advise(
        job.trainers,
        job.asynchronous,
        way,
        batch_size=options.batch_size,
        learning_rate=options.learning_rate,
        train_steps=options.train_steps,
    )


def _tf_configs(job: Job, conversions: Sequence[Conversion]) -> dict[str, str]:
    return {
        f"{job.name}/{result.way}/{task.name}.json": task.to_json() + "\n"
        for result in conversions
        for task in result.tasks
    }


def _workload(job: Job, options: argparse.Namespace) -> Workload:
    """Returns the workload of the tasks: the TFJob's, or one that the flags describe."""
    command = _command(options)
    if job.workload is not None:
        if options.volume:
            raise cli.UsageError(
                f"--volume={options.volume}: {job.source} is a TFJob, which has its own volumes."
            )
        return workloads.with_command(job.workload, command, options.image or "")
    if not command or (not options.image and options.target != "slurm"):
        raise cli.UsageError(
            f"{job.source}: TF_CONFIG does not contain the command of the tasks: give --command="
            '"python -m modern.train ..."' + (" and --image." if options.target != "slurm" else ".")
        )
    volume, _, mount = (options.volume or "").partition(":")
    pod = workloads.pod(options.image or "", command, volume, mount)
    template = workloads.Template(pod, restart="OnFailure")
    return Workload(job.name, templates={"worker": template, "ps": template, "chief": template})


def _check_one_stream(files: Mapping[str, str], options: argparse.Namespace) -> None:
    if len(files) > 1 and options.target not in base.MANIFESTS:
        raise cli.UsageError(
            f"{len(files)} jobs need as many files: name a folder for them with --write=DIR."
        )


def _print_notes(results: Sequence[JobResult]) -> None:
    """Prints notes to standard error, because the file goes to standard output."""
    for result in results:
        for cluster_conversion, choices in zip(result.conversions, result.choices, strict=True):
            advice = (*batches.lines(list(choices)), traffic.line(cluster_conversion))
            for line in (*cluster_conversion.changes, *advice, *result.notes):
                print(f"{result.job.name}: {line}", file=sys.stderr)


def _print_text(results: Sequence[JobResult]) -> None:
    from rich.console import Console

    from migrate.cluster import report

    console = Console(highlight=False)
    for result in results:
        report.show(result, console)


def _print_json(results: Sequence[JobResult], failures: Mapping[str, str]) -> None:
    value = {"jobs": [to_dict(result) for result in results], "failed": dict(failures)}
    print(json.dumps(value, indent=1))
