"""Sentences on the errors of runs, for the person who ports the program.

run_errors.of_run(recording)  # "the program ended with exit code 1: ValueError: no data"
"""

from __future__ import annotations

import os
import re

from migrate import same_run
from migrate.port import running, steps
from migrate.same_run import saved_variables

_LENGTH = 200  # Most characters of a message. Some of TensorFlow's have 600 in one line.
_OWN = ("migrate.", "legacy.", "modern.")
_ERROR = re.compile(r"^[\w.]*(Error|Exception|Interrupt|Warning|Exit)\b.*")
# A line of a traceback in a copy of the program.
_PLACE = re.compile(rf'File ".*/{steps.FOLDER}/[^/"]+(?:/first)?/work/([^"]+)", line (\d+)')


def of_run(recording: same_run.Recording) -> str:
    """Returns the error with which a program ended.

    Args:
      recording: Recording of the run.
    """
    if recording.exit_code is None:
        return next(iter(recording.not_recorded), "it did not end")
    lines = [line.strip() for line in recording.output.splitlines() if line.strip()]
    errors = [line for line in lines if _ERROR.match(line)]
    last = (errors or lines or ["no output"])[-1]
    locations = _PLACE.findall(recording.output)
    location = f" ({locations[-1][0]}:{locations[-1][1]})" if errors and locations else ""
    message = _shortened(last)
    return f"the program ended with exit code {recording.exit_code}: {message}{location}"


def _shortened(message: str) -> str:
    """Returns the first sentences of a message that fit into a line, or its first words.

    The advice of the toolkit's own errors is kept.
    """
    if len(message) <= _LENGTH or message.startswith(_OWN):
        return message
    sentences = [match.end() - 1 for match in re.finditer(r"[.!?:;] ", message[:_LENGTH])]
    # The name of the error, such as `KeyError: `, says too little.
    ends = [end for end in sentences if end > _LENGTH // 3]
    if ends:
        return f"{message[: ends[-1]].rstrip('.:;')} ..."
    words = message[: _LENGTH + 1].rpartition(" ")[0]
    return f"{words if len(words) > _LENGTH // 3 else message[:_LENGTH]} ..."


def of_conversion(error: str) -> str:
    """Returns the reason why the initial weights were not converted, with the first problems.

    Args:
      error: Message of the conversion, one problem a line.
    """
    first, *problems = error.split("\n  - ")
    sentences = [saved_variables.sentence(problem.rstrip(".")) for problem in problems[:2]] or [
        first
    ]
    more = f"; and {len(problems) - 2} more" if len(problems) > 2 else ""
    return f"the initial weights do not fit: {'; '.join(sentences)}{more}"


def of_unmodified_run(recording: same_run.Recording, folder: str) -> str:
    """Returns the reason why the unmodified program could not run, with advice.

    Args:
      recording: Recording of the run.
      folder: Folder of the step.
    """
    paths = running.refused_paths(os.path.join(folder, "record"))
    output = os.path.join(folder, "record", "output")
    if paths:
        return (
            f"the program writes to {paths[0]}, outside of its copy. Name a relative folder in "
            f"its command line. Its output is in {output}."
        )
    error = of_run(recording)
    if recording.exit_code is None:
        error += ". Name fewer steps in its command line, or a longer --timeout"
    elif "EOFError" in error:
        error += ". Its standard input is empty here, so give its answers as arguments"
    return f"under legacy.run, {error} (its output is in {output})."
