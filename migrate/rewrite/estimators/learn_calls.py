"""Writes the calls of tf.estimator that replace an Estimator of contrib.learn.

    replaced(file).edits

`fit` becomes `train`, and ModelFnOps becomes EstimatorSpec. The metrics that `evaluate` or an
Experiment got as MetricSpecs are computed in the model_fn. An SKCompat becomes its Estimator.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import (
    bridged_configs,
    estimator_uses,
    experiment_flow,
    input_functions,
    v2_switches,
)
from migrate.rewrite.analysis.estimator_flow import Flow
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Edit, Import
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import experiment_calls
from migrate.rewrite.estimators.contrib_learn import array_calls, unguarded_labels
from migrate.rewrite.names import modern_names, streaming_metrics

_LEARN = "tf.contrib.learn."
_CONSTRUCTOR = ("model_fn", "model_dir", "config", "params", "feature_engineering_fn")
_OPS = (
    *("mode", "predictions", "loss", "train_op", "eval_metric_ops", "output_alternatives"),
    *("training_chief_hooks", "training_hooks", "scaffold"),
)
_METRIC = ("metric_fn", "prediction_key", "label_key", "weight_key")
# New names of methods, and of their arguments.
_METHODS = {
    "fit": ("train", {"monitors": "hooks"}, ("input_fn", "steps", "max_steps", "monitors")),
    "evaluate": ("evaluate", {}, ("input_fn", "steps", "name", "checkpoint_path", "hooks")),
    "predict": ("predict", {"outputs": "predict_keys"}, ("input_fn", "outputs")),
}
_SAME = ("get_variable_names", "get_variable_value", "model_dir")
_METRICS = "the model_fn computes the metrics of MetricSpecs"
_FLOATS = (
    "layers of Keras compute in float32, and those of tf.layers and tf.contrib.layers in the type "
    "of the arrays"
)
_OTHER_FILE = "another file of the program has its model_fn or another part of it"


class Refused(Exception):
    """Raised if an Estimator of contrib.learn cannot be replaced. The message says why."""


class Replaced(NamedTuple):
    """The edits that replace the Estimators of contrib.learn in a file.

    Attributes:
      edits: The edits.
      imports: Modules that they need.
      problems: Reasons why results may differ.
    """

    edits: tuple[Edit, ...]
    imports: tuple[Import, ...]
    problems: tuple[str, ...]


def is_estimator(name: str) -> bool:
    """Says whether a public name is the class Estimator of contrib.learn."""
    return name.startswith(_LEARN) and name.endswith(".Estimator")


def is_wrapper(name: str) -> bool:
    """Says whether a public name is the class SKCompat."""
    return name.startswith(_LEARN) and name.endswith(".SKCompat")


def is_spec(name: str) -> bool:
    """Says whether a public name is the class ModelFnOps."""
    return name.startswith("tf.contrib.") and name.endswith(".ModelFnOps")


def replaced(file: SourceFile) -> Replaced | None:
    """Returns the edits of a file. None if it has no Estimator of contrib.learn.

    Args:
      file: The file.

    Raises:
      Refused: An Estimator, or a call on it, has no counterpart in tf.estimator.
    """
    return _Writer(file).replaced()


class _Writer:
    """Writes the edits of one file."""

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._edits: list[Edit] = []
        self._module = file.module_name(experiment_calls.ESTIMATOR)
        self._porting, self._imports = bridged_configs.module(file, "porting")
        self._problems: dict[str, None] = {}
        self._uses_porting = False
        self._metrics: ast.Dict | None = None
        self._visited: set[ast.AST] = set()

    def replaced(self) -> Replaced | None:
        calls = [*self._calls(is_estimator)]
        specs = [*self._calls(is_spec)]
        if not calls and not specs:
            return None
        if any(is_estimator(name) or is_spec(name) for name in self._file.plan.names_elsewhere):
            raise Refused(_OTHER_FILE)
        functions = {self._construction(call) for call in calls}
        for call in calls:
            self._follow(call, is_estimator)
        for function in functions:
            self._rename_parameters(function, calls)
        for call in specs:
            if self._file.function(call) not in functions:
                raise Refused(f"ModelFnOps in line {call.lineno} is not in its model_fn")
            self._spec(call)
        for function in functions:
            self._returns(function, specs)
        self._check_overlaps()
        imports = (experiment_calls.ESTIMATOR, *(self._imports if self._uses_porting else ()))
        problems = [*self._problems, *([_METRICS] if self._metrics is not None else [])]
        return Replaced(tuple(self._edits), imports, tuple(problems))

    def _check_overlaps(self) -> None:
        """Raises Refused if an edit contains another one."""
        edits = sorted(self._edits)
        for before, after in itertools.pairwise(edits):
            if after.start < before.end:
                line = self._file.line_of(after.start)
                raise Refused(f"line {line} has a call inside of another one")

    def _calls(self, is_wanted: Callable[[str], bool]) -> Iterator[ast.Call]:
        """Yields the calls of a class."""
        for match in self._file.names():
            if is_wanted(match.name):
                if match.call is None:
                    kind = match.name.rpartition(".")[2]
                    raise Refused(f"{kind} is named in line {match.node.lineno}, but not called")
                yield match.call

    def _replace(self, node: ast.AST, text: str) -> None:
        self._edits += self._file.replacement(node, text).edits

    # The Estimator.

    def _construction(self, call: ast.Call) -> ast.FunctionDef:
        """Replaces the class. Returns the model_fn."""
        bound_args = arguments.bind(call, _CONSTRUCTOR)
        if bound_args is None or "model_fn" not in bound_args:
            raise Refused("it is created with *args or **kwargs, or without a model_fn")
        engineering = [word for word in call.keywords if word.arg == "feature_engineering_fn"]
        value = bound_args.get("feature_engineering_fn", ast.Constant(None))
        if not modern_names.is_constant(value, None):
            raise Refused("it has a feature_engineering_fn: call it in the input_fn")
        self._drop(call, engineering)
        function = input_functions.function_of(self._file, bound_args["model_fn"])
        if not isinstance(function, ast.FunctionDef) or isinstance(
            self._file.parent(function), ast.ClassDef
        ):
            raise Refused("its model_fn is not a function of this file")
        self._replace(call.func, f"{self._module}.Estimator")
        return function

    def _follow(self, call: ast.Call, is_class: Callable[[str], bool]) -> None:
        """Replaces the method calls on an Estimator, or on the SKCompat of one."""
        file = self._file

        def is_construction(node: ast.expr) -> bool:
            return isinstance(node, ast.Call) and is_class(file.name_of(node.func) or "")

        def takes(name: str) -> bool:
            return experiment_flow.is_experiment(name) or is_wrapper(name)

        flow = Flow(file, call, is_construction, takes=takes)
        if flow.reason:
            raise Refused(flow.reason)
        for node in flow.uses:
            if node in self._visited:
                continue
            self._visited.add(node)
            parent = file.parent(node)
            if isinstance(parent, ast.Attribute):
                self._method(parent, is_class is is_wrapper)
                continue
            taker = file.parent(parent) if isinstance(parent, ast.keyword) else parent
            assert isinstance(taker, ast.Call)
            if is_wrapper(file.name_of(taker.func) or ""):
                self._unwrap(taker, node)
            else:
                self._experiment(taker)

    def _unwrap(self, call: ast.Call, estimator: ast.expr) -> None:
        """Replaces an SKCompat by its Estimator."""
        self._follow(call, is_wrapper)
        (start, end), (inner_start, inner_end) = map(self._file.span, (call, estimator))
        self._edits += [Edit(start, inner_start, ""), Edit(inner_end, end, "")]

    def _method(self, attribute: ast.Attribute, is_wrapped: bool) -> None:
        if attribute.attr in _SAME and not is_wrapped:
            return
        call = self._file.parent(attribute)
        place = f"{attribute.attr} in line {attribute.lineno}"
        known = (*_METHODS, *array_calls.METHODS)
        if attribute.attr not in known or not isinstance(call, ast.Call):
            raise Refused(f"{place} has no counterpart in tf.estimator")
        if is_wrapped or all(keyword.arg != "input_fn" for keyword in call.keywords):
            self._array_method(attribute, call, is_wrapped)
            return
        if attribute.attr not in _METHODS:
            raise Refused(f"{place} has no counterpart in tf.estimator")
        new_name, renamed, supported = _METHODS[attribute.attr]
        if call.args or any(keyword.arg is None for keyword in call.keywords):
            raise Refused(f"{place} gets its data by other arguments than input_fn")
        dropped = []
        for keyword in call.keywords:
            name = keyword.arg or ""
            is_none = isinstance(keyword.value, ast.Constant) and keyword.value.value is None
            if name == "metrics" and attribute.attr == "evaluate" and not is_none:
                self._add_metrics(keyword.value)
            elif name == "as_iterable" and ast.unparse(keyword.value) == "True":
                pass
            elif not is_none and name not in supported:
                raise Refused(f"{place} has the argument {name}")
            elif not is_none:
                if name == "monitors":
                    self._check_monitors()
                start = self._file.span(keyword)[0]
                if name in renamed:
                    self._edits.append(Edit(start, start + len(name), renamed[name]))
                continue
            dropped.append(keyword)
        self._drop(call, dropped)
        self._rename_method(attribute, new_name)

    def _array_method(self, attribute: ast.Attribute, call: ast.Call, is_wrapped: bool) -> None:
        """Replaces a call that gets its data as arrays."""
        try:
            read = array_calls.read(self._file, call, attribute.attr, is_wrapped, self._porting)
        except array_calls.NoArrays as error:
            raise Refused(f"{attribute.attr} in line {attribute.lineno} {error}") from None
        if read.monitors:
            self._check_monitors()
        if read.metrics is not None:
            self._add_metrics(read.metrics)
        if read.problem:
            self._problems[read.problem] = None
        if not v2_switches.keeps_float_types(self._file):
            self._problems[_FLOATS] = None
        self._uses_porting = True
        self._rename_method(attribute, read.method)
        start, end = self._file.span(call)
        text = f"({read.arguments})"
        if read.joins:
            self._edits.append(Edit(start, start, f"{self._porting}.concatenated("))
            text += ")"
        self._edits.append(Edit(self._file.span(attribute)[1], end, text))

    def _check_monitors(self) -> None:
        if self._file.program_uses(experiment_calls.is_monitor):
            raise Refused("the program has monitors: turn them into hooks first")

    def _rename_method(self, attribute: ast.Attribute, new_name: str) -> None:
        end = self._file.span(attribute)[1]
        self._edits.append(Edit(end - len(attribute.attr), end, new_name))

    def _experiment(self, call: ast.Call) -> None:
        metrics = [keyword for keyword in call.keywords if keyword.arg == "eval_metrics"]
        for keyword in metrics:
            self._add_metrics(keyword.value)
        self._drop(call, metrics)

    def _drop(self, call: ast.Call, keywords: Sequence[ast.keyword]) -> None:
        """Removes arguments of a call."""
        spans = sorted(self._file.span(part) for part in (*call.args, *call.keywords))
        for keyword in keywords:
            span = self._file.span(keyword)
            at = spans.index(span)
            if at:
                self._edits.append(Edit(spans[at - 1][1], span[1], ""))
            else:
                end = spans[1][0] if len(spans) > 1 else span[1]
                self._edits.append(Edit(span[0], end, ""))

    # Its metrics.

    def _add_metrics(self, node: ast.expr) -> None:
        value: ast.expr | None = node
        if isinstance(node, ast.Name):
            value = bindings.assigned_value(self._file, node)
            uses = bindings.uses_of_value(self._file, value) if value is not None else None
            if value is not None and uses == [node]:
                statement = self._file.statement(value)
                if estimator_uses.is_alone(self._file, statement):
                    self._edits.append(bridged_configs.removal(self._file, statement))
        if not isinstance(value, ast.Dict) or None in value.keys:
            raise Refused("its metrics are not a dictionary of MetricSpecs")
        if self._metrics is not None and ast.dump(self._metrics) != ast.dump(value):
            raise Refused("it gets different metrics at different places")
        self._metrics = value

    def _metric(self, node: ast.expr, predictions: ast.expr, labels: str) -> str:
        """Returns the text of a metric in the model_fn."""
        name = self._file.name_of(node.func) if isinstance(node, ast.Call) else None
        args = arguments.bind(node, _METRIC) if isinstance(node, ast.Call) else None
        if args is None or not (name or "").endswith(".MetricSpec") or "metric_fn" not in args:
            raise Refused("its metrics are not a dictionary of MetricSpecs")
        args = estimator_uses.without_none(args)
        if "weight_key" in args:
            raise Refused("a MetricSpec has a weight_key")
        text = self._part(predictions, args.get("prediction_key"))
        if "label_key" in args:
            labels = f"{labels}[{self._file.segment(args['label_key'])}]"
        return f"{self._function(args['metric_fn'])}(labels={labels}, predictions={text})"

    def _part(self, predictions: ast.expr, key: ast.expr | None) -> str:
        """Returns the text of one of the predictions, or of the only one."""
        segment = self._file.segment
        if isinstance(predictions, ast.Dict):
            wanted = ast.dump(key) if key is not None else ""
            pairs = zip(predictions.keys, predictions.values, strict=True)
            for name, value in pairs:
                if name is not None and ast.dump(name) == wanted:
                    return segment(value)
            raise Refused("a MetricSpec has no known prediction_key")
        return segment(predictions) if key is None else f"{segment(predictions)}[{segment(key)}]"

    def _function(self, node: ast.expr) -> str:
        """Returns the text of the function of a metric."""
        name = self._file.name_of(node) or ""
        last = name.rpartition(".")[2]
        tf, kind = bridged_configs.tensorflow(self._file), streaming_metrics.successor(name)
        if tf and kind:
            return f"{tf}.metrics.{kind}"
        if name == f"tf.metrics.{last}":
            return self._file.segment(node)
        function = input_functions.function_of(self._file, node)
        if isinstance(function, ast.FunctionDef):
            names = [argument.arg for argument in function.args.args]
            if {"labels", "predictions"} == {*names}:
                return self._file.segment(node)
        raise Refused(f"its metric {ast.unparse(node)} is not one of tf.metrics")

    # Its model_fn.

    def _rename_parameters(self, function: ast.FunctionDef, calls: Sequence[ast.Call]) -> None:
        """Gives the features and the labels the names that tf.estimator asks for."""
        parameters = function.args.args
        if "model_dir" in {parameter.arg for parameter in parameters} or len(parameters) < 2:
            raise Refused(f"{function.name} takes other arguments than a model_fn of tf.estimator")
        if all(parameter.arg != "mode" for parameter in parameters):
            self._add_mode(function, calls)
        for parameter, name in zip(parameters, ("features", "labels"), strict=False):
            if parameter.arg == name:
                continue
            nodes = [*ast.walk(function)]
            names = {node.id for node in nodes if isinstance(node, ast.Name)}
            names |= {node.arg for node in nodes if isinstance(node, ast.arg)}
            same = [n for n in nodes if isinstance(n, ast.arg) and n.arg == parameter.arg]
            if name in names or len(same) > 1:
                raise Refused(f"{function.name} has another variable named {name}")
            start = self._file.span(parameter)[0]
            self._edits.append(Edit(start, start + len(parameter.arg), name))
            for node in nodes:
                if isinstance(node, ast.Name) and node.id == parameter.arg:
                    self._replace(node, name)

    def _add_mode(self, function: ast.FunctionDef, calls: Sequence[ast.Call]) -> None:
        """Adds the mode to the parameters of a model_fn, after the labels."""
        nodes = [*ast.walk(function)]
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        uses = sum(
            isinstance(node, ast.Name) and node.id == function.name for node in self._file.nodes
        )
        if "mode" in names or uses > len(calls) or self._file.function(function) is not None:
            raise Refused(f"{function.name} has no parameter for the mode")
        if len(function.args.defaults) > len(function.args.args) - 2:
            raise Refused(f"{function.name} has a default for its features or labels")
        end = self._file.span(function.args.args[1])[1]
        self._edits.append(Edit(end, end, ", mode"))

    def _spec(self, call: ast.Call) -> None:
        """Replaces ModelFnOps by EstimatorSpec."""
        bound_args = arguments.bind(call, _OPS)
        if bound_args is None:
            raise Refused("ModelFnOps is created with *args or **kwargs")
        args = estimator_uses.without_none(bound_args)
        if "output_alternatives" in bound_args:
            raise Refused("ModelFnOps has output_alternatives: use export_outputs")
        self._replace(call.func, f"{self._module}.EstimatorSpec")
        if self._metrics is None or "loss" not in args:
            return
        if "predictions" not in args or "eval_metric_ops" in bound_args:
            raise Refused("ModelFnOps has no predictions for the MetricSpecs, or other metrics")
        function = self._file.function(call)
        assert isinstance(function, ast.FunctionDef)
        text = self._metrics_text(function, args["predictions"])
        end = max(self._file.span(part)[1] for part in (*call.args, *call.keywords))
        indent = self._file.indent(self._file.statement(call).lineno)
        self._edits.append(Edit(end, end, f",{self._file.newline}{indent}    {text}"))

    def _metrics_text(self, function: ast.FunctionDef, predictions: ast.expr) -> str:
        """Returns the argument of EstimatorSpec with the metrics of the MetricSpecs."""
        assert self._metrics is not None
        labels = function.args.args[1].arg
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id == labels and not _is_load(node):
                raise Refused(
                    f"a MetricSpec needs the labels, which line {node.lineno} binds again"
                )
        entries = [
            f"{self._file.segment(key)}: {self._metric(value, predictions, 'labels')}"
            for key, value in zip(self._metrics.keys, self._metrics.values, strict=True)
            if key is not None
        ]
        test = f"mode == {self._module}.ModeKeys.EVAL"
        return f"eval_metric_ops={{{', '.join(entries)}}} if {test} else None"

    def _returns(self, function: ast.FunctionDef, specs: Sequence[ast.Call]) -> None:
        """Replaces the tuple that a model_fn returns, and returns predictions without labels."""
        last = function.body[-1]
        value = last.value if isinstance(last, ast.Return) else None
        predictions, mode = None, "mode"
        if isinstance(value, ast.Call) and value in specs:
            args = arguments.bind(value, _OPS) or {}
            predictions, node = args.get("predictions"), args.get("mode")
            mode = node.id if isinstance(node, ast.Name) else mode
        elif isinstance(value, ast.Tuple) and len(value.elts) == 3:
            if input_functions.returns(function) != [last]:
                raise Refused(f"{function.name} returns tuples at several places")
            predictions = value.elts[0]
        elif not any(self._file.function(call) is function for call in specs):
            raise Refused(f"{function.name} returns neither ModelFnOps nor a tuple of three")
        if predictions is not None:
            self._guard(function, predictions, mode)
        if isinstance(value, ast.Tuple):
            parts = ["mode", *map(self._edited_node, value.elts)]
            parts += (
                [self._metrics_text(function, value.elts[0])] if self._metrics is not None else []
            )
            self._replace(value, f"{self._module}.EstimatorSpec({', '.join(parts)})")

    def _guard(self, function: ast.FunctionDef, predictions: ast.expr, mode: str) -> None:
        """Returns the predictions before the first use of the labels."""
        file, last = self._file, function.body[-1]
        try:
            place = unguarded_labels.guard_place(function, predictions, mode)
            if place is None:
                return
            before = [None, *function.body]
            spans = {
                statement: unguarded_labels.chunk(file, statement, previous)
                for previous, statement in zip(before, function.body, strict=False)
                if statement in (*place.moved, *place.later, last)
            }
        except unguarded_labels.NoGuard as error:
            raise Refused(f"{function.name} uses its labels in predictions: {error}") from None
        start, end = min(spans.values())[0], spans[last][0]
        indent, newline = file.indent(last.lineno), file.newline
        lines = []
        if not isinstance(predictions, ast.Name):
            name = file.new_name("predictions", predictions, function)
            lines.append(f"{indent}{name} = {self._laid_out(predictions, indent)}")
            self._replace(predictions, name)
        else:
            name = self._edited_node(predictions)
        lines += [
            f"{indent}if {mode} == {self._module}.ModeKeys.PREDICT:",
            f"{indent}    return {self._module}.EstimatorSpec({mode}, {name})",
        ]
        if place.moved:
            parts = [self._edited(*spans[part]) for part in place.moved]
            parts += [newline.join(lines), *(self._edited(*spans[part]) for part in place.later)]
            self._edits.append(Edit(start, end, newline.join([*parts, ""])))
        else:
            self._edits.append(Edit(start, start, newline.join([*lines, ""])))

    def _laid_out(self, node: ast.expr, indent: str) -> str:
        """Returns the edited text of an expression. A dictionary of several lines is aligned."""
        if not isinstance(node, ast.Dict) or node.lineno == node.end_lineno or None in node.keys:
            return self._edited_node(node)
        entries = [
            f"{indent}    {self._edited_node(key)}: {self._edited_node(value)},"
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        ]
        return self._file.newline.join(["{", *entries, f"{indent}}}"])

    def _edited_node(self, node: ast.expr) -> str:
        return self._edited(*self._file.span(node))

    def _edited(self, start: int, end: int) -> str:
        """Returns a part of the text with its edits, which are removed."""
        inside = sorted(edit for edit in self._edits if start <= edit.start and edit.end <= end)
        self._edits = [edit for edit in self._edits if edit not in inside]
        parts, at = [], start
        for edit in inside:
            parts += [self._file.text[at : edit.start], edit.text]
            at = edit.end
        return "".join([*parts, self._file.text[at:end]])


def _is_load(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)
