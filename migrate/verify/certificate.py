"""Writes a report as verify.json and as one self-contained page, certificate.html.

    certificate.write(report, "verified", ["--legacy=...", ...])

The page loads nothing and contains no script, so it can be archived with the model.
"""

from __future__ import annotations

import os
import pathlib
import shlex
import shutil
from collections.abc import Sequence

from migrate import html_pages
from migrate.verify import results
from modern.process import cli
from modern.records import task_records

_TEMPLATE = pathlib.Path(__file__).with_name("certificate.html.j2")
_CSS = {results.SAME: "", results.DIFFERENT: "bad", results.UNKNOWN: "unsure"}


def write(
    report: results.Report, folder: str | os.PathLike[str], argv: Sequence[str]
) -> list[pathlib.Path]:
    """Writes both files into a new folder. The folder appears only when it is complete.

    Args:
      report: Result of `verifier.verify`.
      folder: Folder to create.
      argv: Arguments that repeat the command.

    Returns:
      The paths of both files.

    Raises:
      cli.UsageError: The folder exists, or cannot be created.
    """
    folder = pathlib.Path(folder)
    partial = folder.with_name(f".{folder.name}.{os.getpid()}")
    try:
        partial.mkdir(parents=True)
        command = "python -m migrate verify " + shlex.join(argv)
        content = {"command": command, **report.to_dict()}
        task_records.write_json(partial / "verify.json", content)
        (partial / "certificate.html").write_text(render(report, command), encoding="utf-8")
        if folder.exists():
            raise cli.UsageError(f"--output={folder} exists already. Name another folder.")
        partial.rename(folder)
    except OSError as error:
        raise cli.UsageError(f"--output={folder}: cannot be written: {error.strerror}.") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return [folder / "verify.json", folder / "certificate.html"]


def render(report: results.Report, command: str) -> str:
    """Returns the page, with every text of the report escaped."""
    return html_pages.rendered(
        _TEMPLATE,
        {"report": report, "command": command, "css": _CSS},
        {"figure": lambda value: f"{value:.3g}"},
    )
