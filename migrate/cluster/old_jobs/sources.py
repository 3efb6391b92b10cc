"""Finds jobs in a value of TF_CONFIG, in a file, or in a folder and its subfolders.

    TF_CONFIG='{"cluster": ..., "task": ...}' python -m migrate cluster
    python -m migrate cluster jobs/mnist.yaml
    kubectl get tfjobs -o yaml | python -m migrate cluster -

YAML and JSON files can contain TFJobs, also within other objects (a Katib Experiment, an Argo
Workflow), and TF_CONFIG as a variable anywhere (of a Pod, of a compose service). Scripts, .env
files and other named files can contain assignments to TF_CONFIG. A JSON file may be a TF_CONFIG
itself. Values that share an address are tasks of one job.
"""

from __future__ import annotations

import dataclasses
import io
import itertools
import os
import pathlib
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from migrate.cluster import marks
from migrate.cluster.old_jobs import jobs, tfjob
from migrate.cluster.old_jobs.jobs import Job
from modern.cluster import tf_config
from modern.cluster.tf_config import TFConfig
from modern.process import cli, foreign_files

# PyYAML takes a minute for as much.
_MOST_BYTES = 8 << 20
# Four types of tasks, and as many tasks of each as a TFJob may have.
_MOST_VALUES = 4 * tfjob.MOST_TASKS
# Characters of a variable, which Linux limits too.
_LONGEST = 1 << 17
# Largest TF_CONFIG that is repeated for each pod of an Indexed Job.
_MOST_CHARACTERS = 1 << 16
_MANIFESTS = (".yaml", ".yml", ".json")
_SCRIPTS = (".sh", ".bash", ".env", ".sbatch", ".slurm")
_ASSIGNMENT = re.compile(r"\bTF_CONFIG=(?=['\"{])")
_MENTIONS = re.compile(r"TF_CONFIG|\bT[Ff]Job\b")
_IS_TFJOB = re.compile(r"^kind: *[\"']?T[Ff]Job\b", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class JobOptions:
    """Options of the command line for all jobs.

    Attributes:
      train_distribute: RunConfig's strategy. None infers it from the cluster.
      evaluator: True if an evaluator runs that no TF_CONFIG mentions.
      name: Name that replaces the detected one, for a single job.
    """

    train_distribute: str | None = None
    evaluator: bool = False
    name: str | None = None


def find(source: str | None, options: JobOptions) -> list[Job]:
    """Finds the jobs.

    Args:
      source: A file, a folder, "-" for standard input, or a value of TF_CONFIG. None reads the
        environment variable.
      options: Options of the command line.

    Returns:
      The jobs, in the order of their files. Problems of a job are among its errors.

    Raises:
      cli.UsageError: The source cannot be read, or contains no job.
    """
    if source is None:
        text = os.environ.get(tf_config.VARIABLE, "")
        if not text.strip():
            raise cli.UsageError(
                "TF_CONFIG is not set. Set it, or name a file, a folder, or - for standard input."
            )
        job_list = _jobs_of("job", [("the variable TF_CONFIG", text)], options)
    elif source.lstrip().startswith("{"):
        job_list = _jobs_of("job", [("the argument", source)], options)
    elif source == "-":
        job_list = _of_text("standard input", "job", ".yaml", _read_stdin(), options)
    else:
        job_list = _of_path(pathlib.Path(source), options)
    if not job_list:
        raise cli.UsageError(
            f"{source}: no TFJob and no TF_CONFIG was found there.{_mention_hint(source)}"
        )
    return _with_unique_names(job_list, options.name)


def _mention_hint(source: str | None) -> str:
    """Returns a hint for a file that mentions TF_CONFIG but contains no value of it."""
    path = source or ""
    if not os.path.isfile(path) or tf_config.VARIABLE not in _read(pathlib.Path(path)):
        return ""
    return (
        " It mentions TF_CONFIG, but its value is computed when the job runs, or is in an unknown "
        'language. Give the output of `echo "$TF_CONFIG"` there.'
    )


def _with_unique_names(job_list: list[Job], name: str | None) -> list[Job]:
    """Assigns a unique name to each job, for its files."""
    if name and len(job_list) > 1:
        raise cli.UsageError(f"--name={name} is for one job, and there are {len(job_list)}.")
    names: set[str] = set()
    renamed_jobs = []
    for job in job_list:
        candidates = (job.name if n == 1 else f"{job.name}-{n}" for n in itertools.count(1))
        unique_name = name or next(candidate for candidate in candidates if candidate not in names)
        names.add(unique_name)
        renamed_jobs.append(dataclasses.replace(job, name=unique_name))
    return renamed_jobs


def _of_path(path: pathlib.Path, options: JobOptions) -> list[Job]:
    if os.path.isdir(path):  # False also for a name that is too long for a path.
        return [job for folder in _folders(path) for job in _of_folder(folder, options)]
    return _of_text(str(path), path.stem, path.suffix, _read(path), options)


def _folders(root: pathlib.Path) -> list[pathlib.Path]:
    """Returns a folder and those below it, without hidden ones."""

    def refuse(error: OSError) -> None:
        raise cli.UsageError(f"{error.filename}: cannot be read: {error.strerror}.")

    paths = []
    for folder, folders, _ in os.walk(root, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths.append(pathlib.Path(folder))
    return sorted(paths)


def _read(path: pathlib.Path) -> str:
    # A pipe is read too, such as /dev/stdin or `<(kubectl get tfjobs -o yaml)`.
    try:
        with open(path, "rb") as file:
            return foreign_files.read_all(file, _MOST_BYTES).decode("utf-8-sig")
    except FileNotFoundError as error:
        raise cli.UsageError(f"{path}: there is no such file or folder.") from error
    except (OSError, ValueError) as error:
        why = foreign_files.reason(error)
        raise cli.UsageError(f"{foreign_files.one_line(path)}: cannot be read: {why}.") from error


def _read_stdin() -> str:
    try:
        text = sys.stdin.read(_MOST_BYTES + 1).removeprefix("\ufeff")
        if len(text) > _MOST_BYTES:
            raise ValueError(f"it has more than {_MOST_BYTES:,} characters")
        return text
    except (OSError, ValueError) as error:
        why = foreign_files.reason(error)
        raise cli.UsageError(f"standard input: cannot be read: {why}. Give UTF-8.") from error


def _of_folder(folder: pathlib.Path, options: JobOptions) -> list[Job]:
    """Returns the jobs of a folder's own files. Files in other folders belong to other jobs."""
    job_list: list[Job] = []
    texts: list[tuple[str, str]] = []
    for path in sorted(folder.iterdir()):
        if path.suffix not in (*_MANIFESTS, *_SCRIPTS) and path.name != ".env":
            continue
        if not os.path.isfile(path):
            continue
        try:
            file_jobs, values = _contents(str(path), path.suffix, _read(path), options)
        except cli.UsageError as error:
            file_jobs, values = [Job(path.name, str(path), errors=(str(error),))], []
        job_list += file_jobs
        texts += values
    name = folder.resolve().name
    return job_list + _jobs_of(name, texts, options)


def _of_text(where: str, name: str, suffix: str, text: str, options: JobOptions) -> list[Job]:
    file_jobs, values = _contents(where, suffix, text, options)
    return file_jobs + _jobs_of(name, values, options)


def _contents(
    where: str, suffix: str, text: str, options: JobOptions
) -> tuple[list[Job], list[tuple[str, str]]]:
    """Returns the TFJobs of a file, and each value of TF_CONFIG with its place."""
    if suffix in _SCRIPTS:
        if marks.SIGNATURE in text:
            # A script that slurm.py wrote makes TF_CONFIG from nodes that are unknown here.
            return [], []
        return [], [(where, value) for value in _assignments(text)]
    if text.lstrip().startswith("{") and re.search(r"""["'](cluster|task)["']\s*:""", text):
        return [], [(where, text)]
    if not _MENTIONS.search(text):
        return [], []
    places_and_values = (
        [] if suffix in _MANIFESTS else [(where, value) for value in _assignments(text)]
    )
    if places_and_values or (suffix not in _MANIFESTS and not _is_yaml(text)):
        return [], places_and_values
    job_list: list[Job] = []
    values: list[tuple[str, str]] = []
    for document in _documents(text, where):
        document_jobs = [_tfjob(manifest, where, options) for manifest in _tfjobs(document, where)]
        job_list += document_jobs
        values += [] if document_jobs else [(where, value) for value in _of_each_pod(document)]
    return job_list, values


def _is_yaml(text: str) -> bool:
    """Returns true if a file without a known extension is YAML."""
    if _IS_TFJOB.search(text):
        return True
    try:
        _documents(text, "")
    except cli.UsageError:
        return False
    return True


def _documents(text: str, where: str) -> list[Any]:
    from migrate.cluster import yaml_files

    try:
        return yaml_files.parse(text)
    except yaml_files.ManifestError as error:
        hint = "It is a template: give the rendered file." if "{{" in text else "Correct it."
        raise cli.UsageError(f"{where}: {error}. {hint}") from error


def _tfjobs(document: Any, where: str) -> Iterator[Mapping[str, Any]]:
    """Yields a TFJob, or the TFJobs within another document, with its name if they have none."""
    if tfjob.is_tfjob(document):
        yield document
        return
    metadata = document.get("metadata") if isinstance(document, Mapping) else None
    metadata = metadata if isinstance(metadata, Mapping) else {}
    name = str(
        metadata.get("name") or metadata.get("generateName") or pathlib.Path(where).stem
    ).rstrip("-")
    for manifest in _within(document, where):
        own_metadata = manifest.get("metadata") or {}
        has_name = (
            not isinstance(own_metadata, Mapping)
            or own_metadata.get("name")
            or own_metadata.get("generateName")
        )
        yield manifest if has_name else {**manifest, "metadata": {**own_metadata, "name": name}}


def _within(value: Any, where: str) -> Iterator[Mapping[str, Any]]:
    """Yields the TFJobs within an object of another kind, including those in its strings."""
    if tfjob.is_tfjob(value) and "spec" in value:  # A definition of the kind has no spec.
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _within(item, where)
    elif isinstance(value, str) and _IS_TFJOB.search(value):
        for document in _documents(value, f"{where}, in a text"):
            yield from _within(document, where)


def _tfjob(document: Mapping[str, Any], where: str, options: JobOptions) -> Job:
    metadata = document.get("metadata") or {}
    if options.name and isinstance(metadata, Mapping):
        document = {**document, "metadata": {**metadata, "name": options.name}}
    return tfjob.read(
        document, where, train_distribute=options.train_distribute, evaluator=options.evaluator
    )


def _of_each_pod(document: Any) -> Iterator[str]:
    """Yields each TF_CONFIG of a manifest. For an Indexed Job, yields that of each pod."""
    for value, pods in _variables(document, 1):
        is_each = marks.INDEX in value and len(value) < _MOST_CHARACTERS
        indices = range(pods) if is_each else (0,)
        yield from (value.replace(marks.INDEX, str(index)) for index in indices)


def _variables(value: Any, pods: int) -> Iterator[tuple[str, int]]:
    """Yields each TF_CONFIG: {name: TF_CONFIG, value: X}, {TF_CONFIG: X}, "TF_CONFIG=X".

    Args:
      value: A part of a manifest.
      pods: Number of pods of the Job that contains it.

    Yields:
      The text of a TF_CONFIG, and the number of pods of its Job.
    """
    if isinstance(value, Mapping):
        completions = value.get("completions")
        if isinstance(completions, int):
            pods = min(completions, tfjob.MOST_TASKS)
        if value.get("name") == tf_config.VARIABLE and "value" in value:
            yield str(value["value"]), pods
        if isinstance(value.get(tf_config.VARIABLE), str):
            # Docker compose escapes a dollar sign by doubling it.
            yield value[tf_config.VARIABLE].replace("$$", "$"), pods
        for item in value.values():
            yield from _variables(item, pods)
    elif isinstance(value, list):
        for item in value:
            yield from _variables(item, pods)
    elif isinstance(value, str) and value.startswith(f"{tf_config.VARIABLE}="):
        yield value.partition("=")[2], pods


def _assignments(text: str) -> Iterator[str]:
    """Yields the value of each assignment to TF_CONFIG in a script: the shell's next word."""
    match = _ASSIGNMENT.search(text)
    while match:
        start = match.end()
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        if line.startswith("{") and '\\"' not in line:  # An .env file needs no quotes.
            yield line
        else:
            stream = io.StringIO(text[start : start + _LONGEST])
            lexer = shlex.shlex(stream, posix=True, punctuation_chars=True)
            lexer.whitespace_split = True
            try:
                yield lexer.get_token() or ""
                end = start + stream.tell()
            except ValueError:  # The closing quote is missing.
                yield line
        # The next assignment is not within the value of this one.
        match = _ASSIGNMENT.search(text, end)


def _jobs_of(name: str, texts: Sequence[tuple[str, str]], options: JobOptions) -> list[Job]:
    """Returns a job for each group of values that belong together."""
    if len(texts) > _MOST_VALUES:
        why = f"it has {len(texts):,} values of TF_CONFIG, more than {_MOST_VALUES:,}"
        return [Job(name, texts[0][0], errors=(f"{texts[0][0]}: {why}",))]
    return [
        jobs.from_texts(
            name,
            members,
            train_distribute=options.train_distribute,
            evaluator=options.evaluator,
        )
        for members in _groups(texts)
    ]


def _groups(texts: Sequence[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Groups values that share an address. A value that cannot be read forms its own group.

    An evaluator may name only itself, as in TensorFlow's tutorial on parameter servers. It joins
    the only other job, if exactly one exists.
    """
    groups: list[tuple[set[str], list[tuple[str, str]]]] = []
    for where, text in texts:
        own_addresses = _addresses(text)
        matching_groups = [group for group in groups if own_addresses & group[0]]
        groups = [group for group in groups if not own_addresses & group[0]]
        addresses = set(own_addresses).union(*(group[0] for group in matching_groups))
        members = [member for group in matching_groups for member in group[1]]
        groups.append((addresses, [*members, (where, text)]))
    result = [members for _, members in groups]
    lone_groups = [m for m in result if all(_is_lone(text) for _, text in m)]
    other_groups = [m for m in result if m not in lone_groups and _addresses(m[0][1])]
    if len(lone_groups) != 1 or len(other_groups) != 1:
        return result
    index = result.index(other_groups[0])
    result[index] = [*other_groups[0], *lone_groups[0]]
    return [members for members in result if members not in lone_groups]


def _is_lone(text: str) -> bool:
    config = _parse(text)
    return config is not None and not config.training_cluster


def _addresses(text: str) -> set[str]:
    config = _parse(text)
    return {a for tasks in config.cluster.values() for a in tasks} if config else set()


def _parse(text: str) -> TFConfig | None:
    """Returns the configuration, or None if it is wrong or has no cluster."""
    try:
        return tf_config.parse(text)
    except tf_config.TFConfigError:
        return None
