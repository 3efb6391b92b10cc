"""Replaces an Experiment by train_and_evaluate of its Estimator, which other rules then rewrite.

The function that returned the Experiment to `learn_runner.run` runs the training itself.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import (
    bridged_configs,
    estimator_classes,
    estimator_uses,
    experiment_flow,
)
from migrate.rewrite.analysis.experiment_flow import Flow
from migrate.rewrite.engine import bindings, wrapping
from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import SourceFile, comments
from migrate.rewrite.estimators import experiment_calls
from migrate.rewrite.estimators.experiment_calls import Refused, Writer

_METHOD_OPTIONS = frozenset(("delay_secs",))


def _find(file: SourceFile) -> Iterator[Change]:
    places = [match.node for match in file.names() if experiment_flow.is_of_experiments(match.name)]
    if not places and not file.plan.decisions.imported_experiments:
        yield from _configs_alone(file)
        return
    flow = Flow(file)
    reason = _problem_of_program(file) or flow.reason
    try:
        change = _Rewrite(file, flow).change() if not reason else None
    except Refused as error:
        change, reason = None, str(error)
    if change is not None:
        yield change
    elif reason and places:  # Calls of other files' functions are complete without these names.
        yield file.suggestion(places[0], reason)


def _configs_alone(file: SourceFile) -> Iterator[Change]:
    """Yields the change of RunConfigs in a program without Experiments."""
    configs = [match.node for match in file.names() if experiment_calls.is_config(match.name)]
    if not configs or any(map(_needs_learn, _names(file))):
        return
    try:
        writer = Writer(file)
    except Refused as error:
        yield file.suggestion(configs[0], str(error))
        return
    edits = tuple(writer.edits)
    yield Change(configs[0].lineno, edits, writer.imports(edits), _ENVIRONMENT)


def _names(file: SourceFile) -> set[str]:
    """Returns the public names that this file uses now, and other files of the program before."""
    return {*file.plan.names_elsewhere, *(match.name for match in file.names())}


def _needs_learn(name: str) -> bool:
    """Says whether a public name needs a RunConfig of contrib.learn."""
    return experiment_flow.is_of_experiments(name) or estimator_classes.is_of_learn(name)


def _problem_of_program(file: SourceFile) -> str:
    """Returns the reason why an Estimator may be one that train_and_evaluate does not accept."""
    of_learn = sorted(filter(estimator_classes.is_of_learn, _names(file)))
    if not of_learn:
        return ""
    return (
        f"the program has {of_learn[0]}, which train_and_evaluate of tf.estimator does not accept"
    )


class _Rewrite:
    """The rewrite of all Experiments of a file."""

    def __init__(self, file: SourceFile, flow: Flow) -> None:
        self._file, self._flow = file, flow
        self._writer = Writer(file)
        self._edits: list[Edit] = []

    def change(self) -> Change | None:
        """Returns the change, or None if the file neither makes nor runs an Experiment.

        Raises:
          Refused: An Experiment cannot be rewritten.
        """
        flow = self._flow
        for call in flow.experiments:
            if flow.is_local(call):
                self._of_local(call)
            else:
                self._of_returned(call)
        for run in flow.runs:
            self._edits += self._replacement(run, self._run_text(run))
        for call in flow.other_methods:
            self._of_method(call)
        for annotation in flow.annotations:
            self._edits += self._replacement(
                annotation, "None" if flow.method == "train" else "tuple"
            )
        edits = (*self._edits, *self._writer.edits)
        if not edits or not (flow.experiments or flow.runs or flow.other_methods):
            return None
        line = (flow.experiments or flow.runs or flow.other_methods)[0].lineno
        unsafe = "; ".join(self._writer.problems) or _ELSEWHERE
        imports = self._writer.imports(edits)
        return Change(line, edits, imports, unsafe)

    def _replacement(self, node: ast.expr, text: str) -> tuple[Edit, ...]:
        return self._file.replacement(node, text).edits

    # Experiments that a function returns.

    def _of_returned(self, call: ast.Call) -> None:
        """Replaces an Experiment that its function returns, so that the function runs it."""
        file, method = self._file, self._flow.method
        if not method:
            raise Refused("no call of this file runs it")
        parent = file.parent(call)
        if isinstance(parent, ast.Lambda):
            node = self._writer.arguments(call)["estimator"]
            text = self._writer.call(call, method, self._writer.text(node))
            self._writer.replace(call, self._wrapped_text(call, text))
            return
        statement = file.statement(call)
        last = statement
        if isinstance(statement, ast.Assign):
            last = self._next_return(statement, call)
        elif not isinstance(statement, ast.Return) or statement.value is not call:
            raise Refused("it is part of another expression")
        if not estimator_uses.is_alone(file, statement):
            raise Refused("it shares a line with another statement")
        above, estimator = self._estimator(call)
        text = self._writer.call(call, method, estimator)
        if method == "train":  # An Estimator's train must be a statement of its own.
            self._check_results_unused()
        else:
            text = f"return {text}"
        self._replace_statement(statement, [*above, *self._lost_comments(statement, text), text])
        if last is not statement:
            self._edits.append(bridged_configs.removal(file, last))

    def _next_return(self, statement: ast.Assign, call: ast.Call) -> ast.stmt:
        """Returns the statement that returns an assigned Experiment, right after it is made."""
        uses = bindings.uses_of_value(self._file, call) or []
        following = self._following(statement)
        value = following.value if isinstance(following, ast.Return) else None
        if following is None or len(uses) != 1 or value is not uses[0]:
            raise Refused("it has other uses before its function returns it")
        if not estimator_uses.is_alone(self._file, following):
            raise Refused("it shares a line with another statement")
        return following

    def _following(self, statement: ast.stmt) -> ast.stmt | None:
        """Returns the next statement of the same block."""
        parent = self._file.parent(statement)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(parent, field, None)
            if isinstance(block, list) and statement in block:
                at = block.index(statement) + 1
                return block[at] if at < len(block) else None
        return None

    def _check_results_unused(self) -> None:
        for run in (*self._flow.runs, *self._flow.other_methods):
            if not isinstance(self._file.parent(run), ast.Expr):
                raise Refused(f"the result of the run in line {run.lineno} is used")

    def _estimator(self, call: ast.Call) -> tuple[list[str], str]:
        """Returns statements that make the Estimator of an Experiment, and its text."""
        file = self._file
        node = self._writer.arguments(call)["estimator"]
        if isinstance(node, (ast.Name, ast.Attribute)):
            return [], file.segment(node)
        name = file.new_name("estimator", ("the Estimator of", call), file.function(call))
        return [f"{name} = {self._writer.text(node)}"], name

    def _replace_statement(self, statement: ast.stmt, lines: list[str]) -> None:
        """Replaces a statement by others, broken into short lines."""
        file = self._file
        indent = file.indent(statement.lineno)
        separator = file.newline + indent
        wrapped_lines = [
            file.newline.join(wrapping.wrapped(indent + line)).removeprefix(indent)
            for line in lines
        ]
        self._edits.append(Edit(*file.span(statement), separator.join(wrapped_lines)))

    def _lost_comments(self, statement: ast.stmt, text: str) -> list[str]:
        old = comments(self._file.segment(statement))
        return [comment for comment in old if comment not in text]

    # Calls that run an Experiment.

    def _run_text(self, run: ast.Call) -> str:
        """Returns the call of a function that runs an Experiment."""
        args = experiment_flow.run_arguments(run)
        node = args["experiment_fn"]
        function = self._writer.text(node)
        function = f"({function})" if isinstance(node, ast.Lambda) else function
        if "run_config" in args:
            hparams = self._writer.text(args["hparams"]) if "hparams" in args else "None"
            return f"{function}({self._writer.text(args['run_config'])}, {hparams})"
        if "output_dir" not in args:
            raise Refused(f"learn_runner.run in line {run.lineno} has no output_dir")
        return f"{function}(output_dir={self._writer.text(args['output_dir'])})"

    def _of_method(self, call: ast.Call) -> None:
        """Removes the method call on the result of a function that now runs the Experiment."""
        file, receiver = self._file, self._receiver(call)
        if {keyword.arg for keyword in call.keywords} - _METHOD_OPTIONS or call.args:
            raise Refused(f"its method in line {call.lineno} has arguments")
        if isinstance(receiver, ast.Call):
            self._edits += self._replacement(call, self._writer.text(receiver))
            return
        value = bindings.assigned_value(file, receiver) if isinstance(receiver, ast.Name) else None
        uses = bindings.uses_of_value(file, value) if value is not None else None
        statement = file.parent(call)
        is_next = value is not None and self._following(file.statement(value)) is statement
        if not is_next or uses is None or len(uses) != 1 or not isinstance(statement, ast.Expr):
            raise Refused(f"it has other uses before it runs in line {call.lineno}")
        self._edits.append(bridged_configs.removal(file, statement))

    def _receiver(self, call: ast.Call) -> ast.expr:
        assert isinstance(call.func, ast.Attribute)  # `Flow` collects only method calls.
        return call.func.value

    # Experiments that run in the function that makes them.

    def _of_local(self, call: ast.Call) -> None:
        """Replaces an Experiment, and each method call on it by a call on its Estimator."""
        file = self._file
        statement = file.statement(call)
        if not estimator_uses.is_alone(file, statement):
            raise Refused("it shares a line with another statement")
        for node in self._writer.arguments(call).values():
            if not self._is_stable(call, node):
                text = self._writer.text(node).partition("\n")[0][:40]
                raise Refused(f"its argument {text} may change before it runs")
        above, estimator = self._estimator(call)
        for use in bindings.uses_of_value(file, call) or []:
            attribute = file.parent(use)
            method_call = file.parent(attribute) if attribute is not None else None
            assert isinstance(attribute, ast.Attribute)
            assert isinstance(method_call, ast.Call)
            if {keyword.arg for keyword in method_call.keywords} - _METHOD_OPTIONS:
                raise Refused(f"its method in line {method_call.lineno} has arguments")
            if method_call.args or file.function(method_call) is not file.function(call):
                raise Refused(f"its method in line {method_call.lineno} has arguments")
            text = self._writer.call(call, attribute.attr, estimator)
            self._edits += self._replacement(method_call, self._wrapped_text(method_call, text))
        lines = [*self._lost_comments(statement, "".join(above)), *above]
        if lines:
            self._replace_statement(statement, lines)
        else:
            self._edits.append(bridged_configs.removal(file, statement))

    def _wrapped_text(self, call: ast.Call, text: str) -> str:
        """Returns the new text of a call, broken into short lines at the end of a statement."""
        file = self._file
        statement = file.statement(call)
        head = file.text[file.line_start(statement.lineno) : file.span(call)[0]]
        is_last = file.span(call)[1] == file.span(statement)[1]
        if "\n" in head or "\n" in text or not is_last:
            return text
        return file.newline.join(wrapping.wrapped(head + text)).removeprefix(head)

    def _is_stable(self, call: ast.Call, node: ast.expr) -> bool:
        """Says whether an argument has the same value where the Experiment runs."""
        if node is self._writer.arguments(call)["estimator"] and isinstance(node, ast.Call):
            return True  # It is assigned to a name where the Experiment was made.
        if isinstance(node, (ast.List, ast.Tuple)):
            return all(self._is_stable(call, element) for element in node.elts)
        if isinstance(node, ast.Lambda) or experiment_calls.makes_strategy(self._file, node):
            return True
        return bridged_configs.is_simple(self._file, node)


_ENVIRONMENT = (
    "in a cluster, a RunConfig of tf.estimator needs a chief or master in TF_CONFIG, and ignores "
    "its environment"
)
_ELSEWHERE = "it changes together with an Experiment of another file"

RULE = Rule(
    __name__,
    _find,
    message="train_and_evaluate replaces an Experiment and learn_runner, with their RunConfig.",
    source="https://www.tensorflow.org/api_docs/python/tf/compat/v1/estimator/train_and_evaluate",
    symbols=(
        "tf.contrib.learn.Experiment",
        "tf.contrib.learn.RunConfig",
        "tf.contrib.learn.learn_runner.run",
        "tf.contrib.learn.make_export_strategy",
    ),
    recipe="evaluator",
    safe=False,
)
