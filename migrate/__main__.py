r"""Migrates an Estimator job to Keras, and checks that nothing is lost on the way.

    python -m migrate scan PATH...                              each use of the old API, by verdict
    python -m migrate rewrite --to=legacy|modern PATH...        imports and names, or the new API
    python -m migrate recipes [NAME]                            old and new programs, by subject
    python -m migrate cluster [TF_CONFIG|FILE|FOLDER] ...       a cluster file, converted
    python -m migrate train --model_fn=... --input_fn=...       a model_fn, trained by Keras
    python -m migrate checkpoint inspect|map|convert|diff ...   weights and optimizer state
    python -m migrate port PATH --output=FOLDER -- COMMAND      all rungs, run and compared
    python -m migrate verify --legacy=... --modern=...          is this port the same model?

Each command takes --help. Exit codes: 0 success, 1 a check failed, 2 misuse, or undecided.
"""

from __future__ import annotations

import importlib
import io
import os
import signal
import sys
import traceback
from collections.abc import Sequence

from modern.process import cli, extras, foreign_files

# Module of each command, with main(argv) -> exit code. It is imported only when it is used.
_COMMANDS = {
    "scan": "migrate.scan.command",
    "rewrite": "migrate.rewrite.command",
    "recipes": "migrate.recipes.command",
    "cluster": "migrate.cluster.command",
    "checkpoint": "migrate.checkpoint.command",
    "train": "migrate.train",
    "port": "migrate.port.command",
    "verify": "migrate.verify.command",
}
_HELP = ("-h", "--help", "--helpfull", "--helpshort")
_PIPE_CLOSED = 128 + signal.SIGPIPE


def main(argv: Sequence[str]) -> int:
    """Runs a command.

    Args:
      argv: The command's name and its arguments.

    Returns:
      The exit code.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name of a file may have bytes that are not text.
        sys.stdout.reconfigure(errors="backslashreplace")
    if not argv or argv[0] in _HELP:
        print(__doc__, file=sys.stdout if argv else sys.stderr)
        return 0 if argv else cli.MISUSE
    command, *arguments = argv
    if command not in _COMMANDS:
        names = ", ".join(_COMMANDS)
        print(f"migrate: {command!r} is not a command. The commands are: {names}.", file=sys.stderr)
        return cli.MISUSE
    try:
        return importlib.import_module(_COMMANDS[command]).main(arguments)
    except cli.UsageError as error:
        print(f"migrate {command}: {foreign_files.printable(str(error))}", file=sys.stderr)
        return cli.MISUSE
    except KeyboardInterrupt:
        return cli.INTERRUPTED
    except BrokenPipeError:
        # The reader closed the pipe, as `head` does. Python would flush standard output again at
        # its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    except Exception as error:
        name = error.name or "" if isinstance(error, ModuleNotFoundError) else ""
        if name.partition(".")[0] in extras.MODULES["migrate"]:
            print(f"migrate {command}: {extras.error('migrate', name)}", file=sys.stderr)
            return cli.MISUSE
        # Python would exit with 1, which means that a check failed.
        traceback.print_exc()
        print(f"migrate {command}: failed unexpectedly. See above.", file=sys.stderr)
        return cli.MISUSE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
