"""The command line of an absl app: its flag files, its help, and both spellings of a flag.

    argv = app_flags.with_underscores(app_flags.with_flag_files(sys.argv))
    print(app_flags.help_text(__doc__))

absl's `--help` lists the flags of the main module alone. `--helpfull` also lists the flags of absl
and of other packages. All of them end with exit code 0.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence

from absl import flags

from modern.process import foreign_files

# Flag files may name each other, so that a few short files have billions of lines.
_MOST_LINES = 10_000
_MOST_LEVELS = 20
_MOST_BYTES = 1 << 20
_LONGEST_NAME = 100
_LONGEST_PATH = 4096
_FLAG_FILE = ("--flagfile", "-flagfile")
_OURS = ("modern.", "legacy.", "migrate.", "benchmarks.")
# absl takes one dash or two.
_HELP = ("--help", "-help", "-h", "-?", "--helpshort", "-helpshort")
_FULL_HELP = ("--helpfull", "-helpfull")


def wants_help(argv: Sequence[str]) -> bool:
    """Returns whether a command line has `--help`, `--helpshort`, `-h` or `-?`, as in absl."""
    return any(argument in _HELP for argument in _before_rest(argv))


def wants_full_help(argv: Sequence[str]) -> bool:
    """Returns whether a command line has `--helpfull`."""
    return any(argument in _FULL_HELP for argument in _before_rest(argv))


def with_flag_files(argv: Sequence[str]) -> list[str]:
    """Returns a command line with the lines of its flag files in the place of `--flagfile`.

    absl does the same, but it fails with a traceback if a file is not text, and never returns if a
    file has no end.

    Args:
      argv: The command line. Arguments after `--` belong to another program and stay.

    Raises:
      flags.Error: A flag file cannot be read, contains itself, or is far too long.
    """
    count = len(_before_rest(argv))
    arguments: list[str] = []
    for argument in _of_files(argv[:count], ()):
        arguments.append(argument)
        if len(arguments) > _MOST_LINES:
            raise flags.Error(f"--flagfile: the flag files have more than {_MOST_LINES:,} lines.")
    return [*arguments, *argv[count:]]


def _of_files(arguments: Sequence[str], within: tuple[str, ...]) -> Iterator[str]:
    """Yields arguments, with those of flag files in the place of their names.

    Args:
      arguments: Arguments of a command line or of a flag file.
      within: The paths of the flag files that contain these arguments.
    """
    rest = iter(arguments)
    for argument in rest:
        name, equals, path = argument.partition("=")
        if name not in _FLAG_FILE:
            # For a name that it does not know, absl looks for a similar one, which takes forever
            # for a long name.
            if name.startswith("-") and len(name) > _LONGEST_NAME:
                raise flags.Error(f"{foreign_files.one_line(name, 60)}: there is no such flag.")
            yield argument
            continue
        if not equals:
            path = next(rest, "")
            if not path:
                raise flags.Error(f"{name} needs a file.")
        if not path:  # `--flagfile=` is no file, as in absl.
            continue
        path = os.path.expanduser(path)
        if "\0" in path or len(path) > _LONGEST_PATH:
            raise flags.Error(f"--flagfile={foreign_files.one_line(path, 60)}: is no path.")
        if os.path.realpath(path) in within or len(within) == _MOST_LEVELS:
            raise flags.Error(f"--flagfile={path}: the file contains itself.")
        yield from _of_files(_lines(path), (*within, os.path.realpath(path)))


def _lines(path: str) -> list[str]:
    """Returns the arguments in a flag file: its lines without comments."""
    try:
        # A pipe is read too, such as `--flagfile=<(make_flags)`.
        with open(path, "rb") as file:
            text = foreign_files.read_all(file, _MOST_BYTES).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = foreign_files.reason(error)
        raise flags.Error(f"--flagfile={path}: cannot be read: {reason}.") from error
    lines = [line.strip() for line in text.replace("\r", "\n").split("\n")]
    return [line for line in lines if line and not line.startswith(("#", "//"))]


def with_underscores(argv: Sequence[str]) -> list[str]:
    """Returns a command line in which known flags are spelled as absl spells them.

    For example, `--model-dir=x` becomes `--model_dir=x`.

    Args:
      argv: The command line. Arguments after `--` belong to another program and stay.
    """
    count = len(_before_rest(argv))
    return [*map(_spell, argv[:count]), *argv[count:]]


def help_text(description: str | None, is_full: bool = False) -> str:
    """Returns the help of an app: its description, and the flags of each module of ours.

    Args:
      description: Docstring of the app.
      is_full: Whether it has the flags of absl and other packages, too.
    """
    parts = [(description or "").strip()]
    for module, module_flags in flags.FLAGS.flags_by_module_dict().items():
        # absl registers the flags of the main module under `sys.argv[0]`.
        is_ours = module.startswith(_OURS) or module == sys.argv[0]
        if not module_flags or not (is_ours or is_full):
            continue
        source = sys.modules.get(module, sys.modules["__main__"])
        title = (source.__doc__ or module).strip().splitlines()[0]
        # The first line is the path of the module.
        text = flags.FLAGS.module_help(module).strip("\n").partition("\n")[2]
        parts.append(f"{'Flags of this command.' if module == sys.argv[0] else title}\n{text}")
    if not is_full:
        parts.append("`--helpfull` also lists the flags of absl.")
    return "\n\n".join(parts) + "\n"


def _before_rest(argv: Sequence[str]) -> Sequence[str]:
    return argv[: argv.index("--")] if "--" in argv else argv


def _spell(argument: str) -> str:
    name, equals, value = argument.partition("=")
    if not name.startswith("--") or "-" not in name[2:]:
        return argument
    other = name[2:].replace("-", "_")
    # `--nox` sets the boolean flag `x` to false.
    is_known = other in flags.FLAGS or other.removeprefix("no") in flags.FLAGS
    return f"--{other}{equals}{value}" if is_known else argument
