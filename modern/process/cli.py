"""Common behaviour of the apps: flags, exit codes, one message for a mistake.

    if __name__ == "__main__":
        cli.run(main)

Exit codes: 0 success, 1 failure, 2 misuse (a wrong flag, TF_CONFIG or file, before any process
  starts), 130 after Ctrl-C, 143 after SIGTERM.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from absl import app, flags
from absl import logging as absl_logging

from modern.process import app_flags, foreign_files, frame_memory

FAILURE = 1
MISUSE = 2
INTERRUPTED = 128 + signal.SIGINT
_before_exit: list[Callable[[], None]] = []


class UsageError(ValueError):
    """A flag has a value that cannot work. The message names it and tells how to correct it."""


def run(
    main: Callable[[list[str]], int],
    misuse: tuple[type[Exception], ...] = (),
    *,
    takes_arguments: bool = False,
) -> None:
    """Parses the flags, calls `main(argv)` and exits with its return value.

    Args:
      main: The program. It takes the command line without the flags.
      misuse: Exceptions that are mistakes of the user. Only their message is printed, with exit
        code 2.
      takes_arguments: If true, `main` takes arguments that are no flags. Otherwise they are
        mistakes.
    """
    mistakes: tuple[type[Exception], ...] = (UsageError, flags.Error, *misuse)

    def parse(argv: list[str]) -> Any:
        is_full = app_flags.wants_full_help(argv)
        if is_full or app_flags.wants_help(argv):
            print(app_flags.help_text(sys.modules[main.__module__].__doc__, is_full))
            sys.exit(0)
        try:
            return flags.FLAGS(app_flags.with_underscores(app_flags.with_flag_files(argv)))
        except flags.Error as error:
            refuse(error)

    def call_main(argv: list[str]) -> int:
        if not flags.FLAGS["verbosity"].present:
            # Messages of TensorFlow's Python code at INFO would clutter the progress lines.
            absl_logging.set_verbosity(absl_logging.WARNING)
            _quieten(logging.getLogger("tensorflow"))
        try:
            if argv[1:] and not takes_arguments:
                raise UsageError(
                    f"unexpected argument {argv[1]!r}: flags are written --name=value."
                )
            return main(argv)
        except mistakes as error:
            refuse(error)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)

    frame_memory.with_room(app.run)(call_main, flags_parser=parse)


@contextlib.contextmanager
def ended_by_ctrl_c() -> Iterator[None]:
    """Lets Ctrl-C end the process at once while the block runs.

    For calls that wait inside TensorFlow, such as for the other tasks of a cluster. Python's own
    handler would run only when they return.
    """
    previous_handler = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous_handler)


def exit_at_once(code: int) -> NoReturn:
    """Exits without Python's clean-up, which aborts if threads of TensorFlow are still busy."""
    for act in _before_exit:
        act()
    # `os._exit` does not flush Python's buffers.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def before_exit_at_once(act: Callable[[], None]) -> None:
    """Makes `exit_at_once` call a function first. `finally` blocks do not run there."""
    _before_exit.append(act)


def exit_at_once_on_error() -> None:
    """Makes the process exit right after the traceback of an uncaught exception, with code 1.

    Call it before threads of TensorFlow begin to work for others, as a coordinator's do. Python's
    clean-up would take the objects that they use away from them. The process would then crash, and
    the exit code would be that of the crash.
    """
    global _exits_on_error
    if _exits_on_error:
        return
    _exits_on_error, show = True, sys.excepthook

    def show_and_exit(*exception: Any) -> NoReturn:
        show(*exception)
        logging.shutdown()
        exit_at_once(FAILURE)

    sys.excepthook = show_and_exit


_exits_on_error = False


def _quieten(logger: logging.Logger) -> None:
    """Logs only warnings, and each of them once.

    The retracing warning is hidden, because each save under ParameterServerStrategy causes it.
    """
    logger.setLevel(logging.WARNING)
    logger.propagate = False  # absl would print them a second time.
    logger.addFilter(lambda record: "triggered tf.function retracing" not in record.getMessage())


def report_failure(error: Exception) -> int:
    """Prints the reason of a failure in one line and returns the exit code."""
    say(str(error))
    return FAILURE


def refuse(error: Exception) -> NoReturn:
    """Prints the message and exits with code 2."""
    say(str(error))
    sys.exit(MISUSE)


@contextlib.contextmanager
def refusing(*mistakes: type[Exception]) -> Iterator[None]:
    """Ends a user's own program with one line and exit code 2 if the block raises a mistake.

    A traceback and exit code 1 would look like a failure that another attempt could mend.

    Args:
      *mistakes: The exceptions that are mistakes of the user.

    Raises:
      SystemExit: The block has raised one of them.
    """
    try:
        yield
    except mistakes as error:
        refuse(error)


def say(text: str) -> None:
    """Prints a line after the name of the program, on standard error."""
    name = os.path.basename(sys.argv[0])
    print(f"{name}: {foreign_files.printable(text)}", file=sys.stderr, flush=True)
