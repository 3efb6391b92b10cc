r"""Runs an old TensorFlow program, from its own untouched files, on today's TensorFlow.

    python -m legacy.run OLD.py ARGS
    python -m legacy.run -m package.module ARGS
    python -m legacy.run -m pytest tests/

Lists the names that are not provided, without running the program:

    python -m legacy.run --report OLD.py

Options come before the program. Arguments after it belong to the program.

    --api=auto|v1|v2       the TensorFlow it is written for. auto decides by the names in its files,
                           and prints the decision on standard error
    --engine=ours|original who provides tf.estimator: legacy.estimator, or the last
                           tensorflow-estimator, where it is installed
    --tf_version=X         the program's tf.__version__; 1.15.5 or 2.15.1 by default
    --report               lists names that are not provided, with instructions, and ends

The exit code is the program's own. It is 2 if an option is wrong or if the program cannot run: it
does not exist, is not a program of this Python, or needs a name that is not provided. --report ends
with 0. Processes that the program starts with this Python see the same TensorFlow.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from legacy import startup
from legacy.names import left_out
from legacy.reading import api_choice, projects, slices, source, used_names

_OWN_NAME = ["-m", "legacy.run"]
_OPTIONS_WITH_VALUE = ("--api", "--engine", "--tf_version")


def main(argv: Sequence[str]) -> int:
    """Runs the command.

    Args:
      argv: The command line, without the command's name.

    Returns:
      The exit code. Does not return if the program runs, because Python replaces this process.
    """
    own_arguments, arguments = _split(argv)
    options = _parser().parse_args(own_arguments)
    if not arguments or arguments == ["-m"]:
        print("legacy.run: name a program: OLD.py, or -m package.module.", file=sys.stderr)
        return 2
    if sys.flags.ignore_environment or sys.flags.no_site:
        print(
            "legacy.run: start Python without -E, -I and -S: it would not see what legacy "
            "prepares for it.",
            file=sys.stderr,
        )
        return 2
    try:
        is_module = arguments[0] == "-m"
        program = source.find_module(arguments[1]) if is_module else source.find(arguments[0])
        modules = list(program.modules())
        uses, decision = api_choice.of_modules(modules, program.folder, program)
        folders = [program.own_part]
        # A tool that does not use TensorFlow itself, such as pytest, runs the files of a project.
        is_tool = program.is_installed and not uses
        if is_tool:
            working_folder = os.getcwd()
            modules = source.read(projects.files(arguments[1 + is_module :]), working_folder)
            uses, decision = api_choice.of_modules(modules, working_folder)
            folders = projects.own_parts()
        decision = api_choice.for_run(decision, uses)
        is_read = options.api == "auto"
        api = decision.api if is_read else options.api
        settings = {"api": api, "engine": options.engine, "tf_version": options.tf_version}
        if not options.report and not is_tool:
            _check_needs(uses)
        if is_read and uses:
            name = " ".join(arguments[: 1 + is_module])
            print(f"legacy.run: {api_choice.message(name, decision)}", file=sys.stderr)
        if options.report:
            return _report(uses, settings)
    except source.ProgramError as error:
        print(f"legacy.run: {error}", file=sys.stderr)
        return 2
    makes_slices = any(slices.makes_slices(module.tree) for module in modules)
    settings_of_process = {"folders": folders, "makes_slices": makes_slices}
    _become_python(arguments, {**settings, **settings_of_process})
    return 0


def _split(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Splits a command line into the command's own options and the program with its arguments."""
    index = 0
    while index < len(argv) and argv[index].startswith("-") and argv[index] != "-m":
        index += 2 if argv[index] in _OPTIONS_WITH_VALUE else 1
    return list(argv[:index]), list(argv[index:])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m legacy.run",
        usage="%(prog)s [OPTIONS] OLD.py ARGS, or %(prog)s [OPTIONS] -m package.module ARGS",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    no_help = argparse.SUPPRESS  # The description lists them all, in context.
    parser.add_argument("--helpfull", "--helpshort", action="help", help=no_help)
    parser.add_argument("--api", choices=("auto", "v1", "v2"), default="auto", help=no_help)
    parser.add_argument("--engine", choices=("ours", "original"), default="ours", help=no_help)
    parser.add_argument("--tf_version", help=no_help)
    parser.add_argument("--report", action="store_true", help=no_help)
    return parser


def _check_needs(uses: list[used_names.Use]) -> None:
    """Raises ProgramError if a program needs a removed name in order to start."""
    for use in uses:
        if use.at_start and not use.guarded and left_out.is_gone(use.name):
            raise source.ProgramError(f"{use.file}:{use.line}: {left_out.message(use.name)}")


def _report(uses: list[used_names.Use], settings: dict[str, str]) -> int:
    """Lists the names that are not provided."""
    from legacy import installing, keras_choice
    from legacy.shim import report
    from modern.process import quiet_import

    try:
        keras_choice.use_legacy_keras()
        quiet_import.import_tensorflow()
        installing.install(**settings)
    except ImportError as error:
        print(f"legacy.run: {error}", file=sys.stderr)
        return 2
    troubles = list(report.missing(uses))
    for use, trouble in troubles:
        print(f"{use.file}:{use.line}: {trouble}")
    num_missing = len({use.name for use, _ in troubles})
    num_names = len({use.name for use in uses})
    print(f"{num_missing} of {num_names} names are not provided.", file=sys.stderr)
    return 0


def _become_python(arguments: list[str], settings: dict[str, object]) -> None:
    """Replaces this process by Python running the program."""
    command = sys.orig_argv
    # Python's own options, such as -W or -X, come before `-m legacy.run`.
    index = next((i for i in range(len(command)) if command[i : i + 2] == _OWN_NAME), 1)
    flags = command[1:index]
    # os.execve discards buffered output.
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(sys.executable, [sys.executable, *flags, *arguments], startup.environment(settings))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
