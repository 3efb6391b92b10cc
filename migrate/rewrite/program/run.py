"""Rewrites all files of some programs in parallel, and prints the changes.

    run(["my_jobs/"], rules.all_rules("legacy"), mode="diff", unsafe=False)

Diffs go to standard output. Suggestions, failures and counts go to standard error. A message that
holds for several places is one line, after all diffs. Only this process writes files, one after the
other.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from migrate import failures, forking, sources
from migrate.rewrite import rules as all_rules
from migrate.rewrite.engine import files, fixed_point
from migrate.rewrite.engine.plan import Decisions, FilePlan
from migrate.rewrite.engine.rule import Check, Rule
from migrate.rewrite.program import (
    keras3_moves,
    lost_lines,
    program_files,
    program_plan,
    summary,
)
from migrate.rewrite.program.messages import Messages
from migrate.rewrite.program.program_files import FileFacts
from migrate.rewrite.program.program_plan import ProgramPlan

_SMALL = 8  # One process rewrites this many files before a second one has started.


class _Task(NamedTuple):
    """A file to rewrite.

    Attributes:
      path: Its path.
      to: Direction of the rules.
      rules: Names of the rules.
      unsafe: Whether to make changes that may alter results.
      plan: Plan for the file.
      keep_imports: Whether to keep imports that become unused.
      before: Result of the rules of an earlier direction, or None.
    """

    path: str
    to: str
    rules: tuple[str, ...]
    unsafe: bool
    plan: FilePlan
    keep_imports: bool
    before: Result | None = None


class _Program(NamedTuple):
    """The files of a program, to decide about."""

    facts: Mapping[str, FileFacts]
    changeable: Set[str]
    rules: tuple[str, ...]
    unsafe: bool


class Message(NamedTuple):
    """A suggestion or an unsafe change, as it is printed."""

    line: int
    rule: str
    reason: str
    applicable: bool
    recipe: str
    needed: bool = False


class Result(NamedTuple):
    """The result of rewriting a file.

    Attributes:
      path: Path of the file.
      file: The original file, or None if it could not be read.
      text: Its new text.
      changes: Number of changes that were made.
      suggestions: Changes that were not made, with their reasons.
      unsafe: Changes that may alter results, with their reasons.
      checks: Comparisons that `migrate verify` should make.
      error: Reason why it could not be rewritten, or "" if it could.
      notes: Notes on the TensorFlow version that it is read as.
      made: Line and rule of each change.
      lost_lines: Lines of evaluations that no longer log their results.
      code: The Python of the new text.
      passes: See `fixed_point.Outcome`.
    """

    path: str
    file: files.File | None = None
    text: str = ""
    changes: int = 0
    suggestions: tuple[Message, ...] = ()
    unsafe: tuple[Message, ...] = ()
    checks: tuple[Check, ...] = ()
    error: str = ""
    notes: tuple[str, ...] = ()
    made: tuple[tuple[int, str], ...] = ()
    lost_lines: tuple[int, ...] = ()
    code: str = ""
    passes: fixed_point.Passes = ()

    @property
    def is_rewritten(self) -> bool:
        """True if its text changes."""
        return self.file is not None and not self.error and self.text != self.file.text


def run(
    paths: Sequence[str], rules: Sequence[Rule], *, mode: str, unsafe: bool, api: str = "auto"
) -> int:
    """Rewrites files and folders.

    Args:
      paths: Files and folders.
      rules: Rules to apply, all of one direction, and perhaps those of "keras3" after them.
      mode: "diff", "check" or "write".
      unsafe: Also make the changes that may alter results.
      api: TensorFlow version of the programs: "v1", "v2" or "auto".

    Returns:
      The exit code.

    Raises:
      cli.UsageError: A path does not exist, or is neither Python nor a notebook.
    """
    counts = summary.Counts()
    unsafe_changes, suggestions = Messages(), Messages()
    for result in results(paths, rules, unsafe=unsafe, api=api):
        file = result.file
        if file is not None and result.is_rewritten and mode == "write":
            try:
                files.write(file, result.text)
            except files.NotWritable as error:
                result = result._replace(error=str(error))
        counts.add(result)
        _show(result, mode)
        _collect(result, unsafe_changes, suggestions)
    for line in (*unsafe_changes.lines(), *suggestions.lines()):
        print(line, file=sys.stderr)
    print(*counts.lines(mode), sep="\n", file=sys.stderr)
    would_change = mode == "check" and counts.rewritten > 0
    return 1 if counts.failed or would_change else 0


def results(
    paths: Sequence[str], rules: Sequence[Rule], *, unsafe: bool, api: str = "auto"
) -> Iterator[Result]:
    """Yields the result for each file, in the order of the files. Writes nothing.

    Args:
      paths: Files and folders.
      rules: Rules to apply, all of one direction, and perhaps those of "keras3" after them.
      unsafe: Also make the changes that are only suggested.
      api: TensorFlow version of the programs: "v1", "v2" or "auto".

    Raises:
      cli.UsageError: A path does not exist, or is neither Python nor a notebook.
    """
    source_files = list(sources.find(paths))
    requested = {os.path.normpath(path) for path in paths}
    with _parallel_map(len(source_files)) as parallel_map:
        facts = program_files.facts_of(source_files, parallel_map, api)
        first = [rule for rule in rules if rule.to != keras3_moves.DIRECTION]
        last = tuple(rule.name for rule in rules if rule.to == keras3_moves.DIRECTION)
        to = first[0].to if first else "modern" if last else "legacy"
        names = tuple(rule.name for rule in first)
        selected_paths = [
            source.path
            for source in source_files
            if os.path.normpath(source.path) in requested or not _is_generated(source)
        ]
        plans = {path: file_facts.plan for path, file_facts in facts.items()}
        if to == "modern":
            programs = [
                _Program({path: facts[path] for path in group}, set(selected_paths), names, unsafe)
                for group in program_plan.connected(facts)
                if len(group) > 1  # There is nothing to decide together about a single file.
            ]
            for program_plans in parallel_map(_plan_program, programs):
                plans.update(program_plans)
        unknown = FileFacts()  # Of a file that cannot be parsed, which `_rewrite` reports.
        tasks = [
            _Task(
                path,
                to,
                names,
                unsafe,
                plans.get(path, unknown.plan),
                facts.get(path, unknown).is_imported,
            )
            for path in selected_paths
        ]
        rewritten: Iterable[tuple[str, Result]]
        rewritten = zip(selected_paths, parallel_map(_rewrite, tasks), strict=True)
        if last:
            rewritten = _moved(dict(rewritten), tasks, last, facts, parallel_map)
        for path, result in rewritten:
            yield result._replace(notes=facts.get(path, unknown).notes)


def _moved(
    results_before: dict[str, Result],
    tasks: Sequence[_Task],
    rules: tuple[str, ...],
    facts: Mapping[str, FileFacts],
    parallel_map: Callable[..., Iterable[Any]],
) -> Iterator[tuple[str, Result]]:
    """Yields the results after the rules of Keras 3, which a program follows as a whole."""
    new_tasks = [
        task._replace(to=keras3_moves.DIRECTION, rules=rules, before=results_before[task.path])
        for task in tasks
        if results_before[task.path].code
    ]
    moved = {result.path: result for result in parallel_map(_rewrite, new_tasks)}
    failed = {path: result for path, result in results_before.items() if result.error}
    staying = keras3_moves.staying({**failed, **moved}, program_plan.connected(facts))
    for path, result in results_before.items():
        if path in moved and moved[path].error:
            yield path, moved[path]
        elif path in moved and path in staying:
            needed = tuple(message for message in moved[path].suggestions if message.needed)
            yield path, result._replace(suggestions=(*result.suggestions, *needed))
        elif path in moved:
            yield path, keras3_moves.joined(result, moved[path])
        else:
            yield path, result


def _plan_program(task: _Program) -> dict[str, FilePlan]:
    """Returns the plans for the files of a program."""
    rules = [rule for rule in all_rules.all_rules("modern") if rule.name in task.rules]
    try:
        return ProgramPlan(task.facts, task.changeable, rules, unsafe=task.unsafe).files
    except Exception:  # A rule fails. `_rewrite` fails too, and reports the file and the reason.
        return {}


def _is_generated(source: sources.Source) -> bool:
    if source.is_notebook:
        return False
    try:
        with open(source.path, "rb") as file:
            # The marker of generated code is at the top.
            return sources.is_generated(source.path, file.read(2000))
    except OSError:
        return False


def _rewrite(task: _Task) -> Result:
    """Rewrites one file."""
    rules = [rule for rule in all_rules.all_rules(task.to) if rule.name in task.rules]
    file = None
    try:
        file = files.read(task.path)
        outcome = fixed_point.rewrite(
            task.before.code if task.before else file.code,
            rules,
            unsafe=task.unsafe,
            path=task.path,
            plan=task.plan,
            keep_imports=task.keep_imports,
            passes_before=task.before.passes if task.before else (),
        )
        is_decided = task.unsafe and task.plan.decisions != Decisions()
        if is_decided and (problem := program_plan.problem_of(outcome.file)):
            return Result(task.path, file, error=problem)
        text = file.text if outcome.text == file.code else files.with_code(file, outcome.text)
        unsafe = sorted(
            (record for record in outcome.changes if record.reason), key=lambda record: record.line
        )
        return Result(
            task.path,
            file,
            text,
            len(outcome.changes),
            tuple(map(_message, outcome.suggestions)),
            tuple(map(_message, unsafe)),
            tuple(record.check for record in outcome.changes if record.check is not None),
            made=tuple((record.line, record.rule.name) for record in outcome.changes),
            lost_lines=tuple(lost_lines.of(task.plan, file.code, outcome.file)),
            code=outcome.text,
            passes=outcome.passes,
        )
    except files.NotReadable as error:
        return Result(task.path, error=str(error))
    except SyntaxError as error:
        return Result(task.path, file, error=_syntax_reason(error))
    except RecursionError as error:
        place = failures.place(error)
        return Result(task.path, file, error=f"it is nested too deeply ({place})")
    except Exception as error:
        return Result(task.path, file, error=failures.message(error))


def _message(record: fixed_point.ChangeRecord) -> Message:
    return Message(
        record.line,
        record.rule.name,
        record.reason,
        record.applicable,
        record.rule.recipe,
        record.needed,
    )


def _syntax_reason(error: SyntaxError) -> str:
    from legacy.reading import source

    kind = "this is Python 2" if source.is_python2(error) else f"it does not parse: {error.msg}"
    return f"line {error.lineno}: {kind}" if error.lineno else kind


@contextlib.contextmanager
def _parallel_map(
    count: int,
) -> Iterator[Callable[[Callable[..., Any], Iterable[Any]], Iterable[Any]]]:
    """Yields a `map` that uses as many processes as the number of files justifies."""
    # One process for every _SMALL files, rounded up.
    processes = min(os.cpu_count() or 1, -(-count // _SMALL))
    if processes < 2 or not forking.may_fork():
        yield map
        return
    with forking.pool(processes) as pool:
        yield functools.partial(pool.imap, chunksize=4)


def _show(result: Result, mode: str) -> None:
    """Prints the changes of a file on standard output, and notes on standard error."""
    if result.error:
        print(f"{result.path}: failed: {result.error}", file=sys.stderr)
        return
    if result.is_rewritten or result.suggestions:
        for note in result.notes:
            print(note, file=sys.stderr)
    if result.is_rewritten and result.file is not None:
        if mode == "diff":
            sys.stdout.write(difference(result.path, result.file.text, result.text))
        else:
            print(result.path)


def _collect(result: Result, unsafe_changes: Messages, suggestions: Messages) -> None:
    """Collects the messages of a file."""
    if result.error:
        return
    for message in result.unsafe:
        text = f"unsafe: {message.rule}: {message.reason}"
        unsafe_changes.add(result.path, message.line, text)
    for message in result.suggestions:
        action = "--unsafe makes it" if message.applicable else "by hand"
        stays = ", so the program stays on tf_keras" if message.needed else ""
        text = (
            f"{message.rule}: {message.reason}{stays} "
            f"({action}; python -m migrate recipes {message.recipe})"
        )
        suggestions.add(result.path, message.line, text)
    for line in result.lost_lines:
        unsafe_changes.add(result.path, line, lost_lines.MESSAGE)


def difference(path: str, old: str, new: str) -> str:
    """Returns the unified diff of a file's texts."""
    name = path.lstrip("/")
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{name}", f"b/{name}"
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
