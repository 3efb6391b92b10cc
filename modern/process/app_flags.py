"""The command line of an absl app: its own flags in groups, and both spellings of a flag.

    argv = app_flags.with_underscores(sys.argv)
    print(app_flags.help_text(__doc__))

absl's `--help` lists the flags of the main module alone, and `--helpfull` also all flags of absl.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from absl import flags

_OURS = ("modern.", "legacy.", "migrate.", "benchmarks.")


def wants_help(argv: Sequence[str]) -> bool:
    """Says whether a command line has `--help` or `-h`."""
    return any(argument in ("--help", "-h") for argument in _before_rest(argv))


def with_underscores(argv: Sequence[str]) -> list[str]:
    """Returns a command line in which known flags are spelled as absl spells them.

    For example, `--model-dir=x` becomes `--model_dir=x`.

    Args:
      argv: The command line. Arguments after `--` belong to another program and stay.
    """
    count = len(_before_rest(argv))
    return [*map(_spelled, argv[:count]), *argv[count:]]


def help_text(description: str | None) -> str:
    """Returns the help of an app: its description, and the flags of each module of ours.

    Args:
      description: Docstring of the app.
    """
    parts = [(description or "").strip()]
    for module, defined in flags.FLAGS.flags_by_module_dict().items():
        # absl registers the flags of the main module under `sys.argv[0]`.
        if not defined or not (module.startswith(_OURS) or module == sys.argv[0]):
            continue
        known = sys.modules.get(module, sys.modules["__main__"])
        title = (known.__doc__ or module).strip().splitlines()[0]
        # The first line is the path of the module.
        text = flags.FLAGS.module_help(module).strip("\n").partition("\n")[2]
        parts.append(f"{'Flags of this command.' if module == sys.argv[0] else title}\n{text}")
    parts.append("`--helpfull` also lists the flags of absl.")
    return "\n\n".join(parts) + "\n"


def _before_rest(argv: Sequence[str]) -> Sequence[str]:
    return argv[: argv.index("--")] if "--" in argv else argv


def _spelled(argument: str) -> str:
    name, equals, value = argument.partition("=")
    if not name.startswith("--") or "-" not in name[2:]:
        return argument
    other = name[2:].replace("-", "_")
    # `--nox` sets the boolean flag `x` to false.
    is_known = other in flags.FLAGS or other.removeprefix("no") in flags.FLAGS
    return f"--{other}{equals}{value}" if is_known else argument
