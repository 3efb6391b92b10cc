r"""The Estimators that a file makes, and all method calls on them.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "from legacy import estimator as tf_estimator\n"
...     "job = tf_estimator.Estimator(model_fn, 'model')\n"
...     "job.train(input_fn, steps=10)\n"
... )
>>> match = next(match for match in file.names() if match.name == "tf.estimator.Estimator")
>>> use = read(file, match.call)
>>> use.constructions[0].name, [(call.method, sorted(call.arguments)) for call in use.calls]
('job', [('train', ['input_fn', 'steps'])])
"""

from __future__ import annotations

import ast
import typing
from collections.abc import Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import estimator_classes, estimator_flow, successive_values
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.plan import OF_OBJECT
from migrate.rewrite.engine.source_file import ESTIMATORS, Match, SourceFile

METHODS = {
    "train": ("input_fn", "hooks", "steps", "max_steps", "saving_listeners"),
    "evaluate": ("input_fn", "steps", "hooks", "checkpoint_path", "name"),
    "predict": ("input_fn", "predict_keys", "hooks", "checkpoint_path", "yield_single_examples"),
    "export_saved_model": (
        "export_dir_base",
        "serving_input_receiver_fn",
        "assets_extra",
        "as_text",
        "checkpoint_path",
        "experimental_mode",
    ),
    "export_savedmodel": (
        "export_dir_base",
        "serving_input_receiver_fn",
        "assets_extra",
        "as_text",
        "checkpoint_path",
        "strip_default_attrs",
    ),
    "latest_checkpoint": (),
    "eval_dir": ("name",),
    "get_variable_names": (),
    "get_variable_value": ("name",),
}
TRAIN_AND_EVALUATE = "train_and_evaluate"
STOPS_EARLY = "stop_if"  # Stands for a hook that takes the Estimator, such as stop_if_higher_hook.
ADDS_METRICS = "add_metrics"
_SPECS = ("estimator", "train_spec", "eval_spec")
_MODULE = "tf.estimator."
_NO_NAME = "it is not assigned to a name"


class MethodCall(NamedTuple):
    """A use of an Estimator: a method call, its `model_dir`, or a call that takes it.

    Attributes:
      method: Name of the method. STOPS_EARLY for a hook that takes an Estimator.
      call: The call.
      arguments: Its arguments by the names of the parameters, without those that are None.
      receiver: Text of the Estimator in the call.
      is_near: Whether it is in the function that makes the Estimator, and its receiver can only
        be that Estimator.
      is_inner: Whether it stands in an argument of another call.
    """

    method: str
    call: ast.expr
    arguments: dict[str, ast.expr]
    receiver: str
    is_near: bool = True
    is_inner: bool = False


class Construction(NamedTuple):
    """A place that makes an Estimator.

    Attributes:
      call: Call that makes it.
      statement: Statement of the call, which assigns or returns it.
      name: Name that it is assigned to, or "" if it is returned.
    """

    call: ast.Call
    statement: ast.stmt
    name: str


class EstimatorUse(NamedTuple):
    """A group of Estimators that may reach the same variable, and the calls on them.

    Attributes:
      constructions: Places that make them.
      calls: All calls on them, in order.
      annotations: Type annotations of the places that hold them.
      exported_functions: Functions that return them to other files. A method is "Class.method".
      shown: Lines that print them, or their class.
    """

    constructions: tuple[Construction, ...]
    calls: tuple[MethodCall, ...]
    annotations: tuple[ast.expr, ...] = ()
    exported_functions: frozenset[str] = frozenset()
    shown: tuple[int, ...] = ()

    def of(self, call: ast.Call) -> Construction:
        """Returns the place where a call makes one of them."""
        return next(
            construction for construction in self.constructions if construction.call is call
        )

    @property
    def is_trained_and_evaluated(self) -> bool:
        """True if train_and_evaluate gets them."""
        return any(method_call.method == TRAIN_AND_EVALUATE for method_call in self.calls)


def read(file: SourceFile, call: ast.Call) -> EstimatorUse | str:
    """Returns all uses of an Estimator, and of those that may reach the same variable.

    Args:
      file: The file.
      call: Call that makes it.

    Returns:
      The uses, or the reason why they are not known.
    """
    results = file.computed(_no_results)
    if call not in results:
        # All Estimators of a group share one result.
        use = _read(file, call)
        results.update(
            {construction.call: use for construction in use.constructions}
            if isinstance(use, EstimatorUse)
            else {}
        )
        results.setdefault(call, use)
    return results[call]


def _no_results(file: SourceFile) -> dict[ast.Call, EstimatorUse | str]:
    """Returns an empty table of results, which `read` fills."""
    return {}


def _read(file: SourceFile, call: ast.Call) -> EstimatorUse | str:
    flow = estimator_flow.Flow(file, call, lambda node: is_estimator(file, node))
    if flow.reason:
        return flow.reason
    constructions: list[Construction] = []
    for estimator_call in flow.constructions:
        construction = _construction(file, estimator_call)
        if isinstance(construction, str):
            return construction
        constructions.append(construction)
    calls: list[MethodCall] = []
    for node in flow.uses:
        method_call = _method_call(file, node, constructions)
        if isinstance(method_call, str):
            return method_call
        calls.append(method_call)
    annotations, exported_functions = tuple(flow.annotations), frozenset(flow.exported_functions)
    use = EstimatorUse(
        tuple(constructions), tuple(calls), annotations, exported_functions, tuple(flow.shown)
    )
    return _mark_inner_calls(file, use)


def is_estimator(file: SourceFile, node: ast.AST) -> bool:
    """Says whether an expression makes an Estimator, or calls another file's function for one."""
    name = name_of(file, node)
    if isinstance(node, ast.Attribute):
        return name.startswith(ESTIMATORS) and not name.endswith("()")
    if name.startswith(ESTIMATORS) or name in (
        *estimator_classes.OF_CONTRIB,
        *estimator_classes.OF_KERAS,
        *estimator_classes.OF_TPU,
    ):
        return True
    kind = name.removeprefix(_MODULE)
    is_direct = name.startswith(_MODULE) and "." not in kind
    return is_direct and kind.endswith(("Estimator", "Classifier", "Regressor"))


def name_of(file: SourceFile, node: ast.AST) -> str:
    """Returns the name of the function that is called, or of an attribute. "" if it has none."""
    name = file.name_of(node.func if isinstance(node, ast.Call) else node)
    return name or "" if isinstance(node, (ast.Call, ast.Attribute)) else ""


def of_other_file(match: Match) -> ast.Call | None:
    """Returns the expression that gets an Estimator from another file. None for other matches.

    Args:
      match: A function, method or attribute.
    """
    if not match.name.startswith(ESTIMATORS):
        return None
    is_attribute = match.name.startswith(f"{ESTIMATORS}{OF_OBJECT[1:]}") and match.name[-1] != ")"
    # An attribute stands for a call, and is never changed as one.
    return typing.cast(ast.Call, match.node) if is_attribute else match.call


def _construction(file: SourceFile, call: ast.Call) -> Construction | str:
    """Returns the place that makes an Estimator, or the reason why it cannot be rewritten."""
    if name_of(file, call).startswith(ESTIMATORS):
        return Construction(call, file.statement(call), "")  # This call stays as it is.
    statement = file.parent(call)
    if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Return)):
        return _NO_NAME
    if not is_alone(file, statement):
        return "another statement is on its line"
    if isinstance(statement, ast.Return):
        return Construction(call, statement, "")
    target = statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0]
    return Construction(call, statement, file.segment(target))


def _method_call(
    file: SourceFile, node: ast.expr, constructions: Sequence[Construction]
) -> MethodCall | str:
    """Returns the use of an Estimator at a node, or the reason why it is not known."""
    if any(isinstance(part, ast.Call) for part in ast.walk(node)):
        return _NO_NAME  # New code may name it several times.
    receiver, is_near = file.segment(node), False
    if len(constructions) == 1 and isinstance(node, ast.Name):
        (construction,) = constructions
        is_near = node.id == construction.name and file.function(node) is file.function(
            construction.statement
        )
        assignment = successive_values.assignment(file, node)
        value = assignment.value if assignment else bindings.assigned_value(file, node)
        is_near = is_near and value is construction.call
    parent = file.parent(node)
    if not isinstance(parent, ast.Attribute):
        return _call_with_estimator(file, parent, receiver, is_near)
    if parent.attr == "model_dir" and isinstance(parent.ctx, ast.Load):
        return MethodCall("model_dir", parent, {}, receiver, is_near)
    call = file.parent(parent)
    if parent.attr not in METHODS or not isinstance(call, ast.Call) or call.func is not parent:
        return f"{receiver}.{parent.attr} in line {node.lineno} has no counterpart in a Keras model"
    args = arguments.bind(call, METHODS[parent.attr])
    if args is None:
        return f"{receiver}.{parent.attr} in line {node.lineno} is called with *args or **kwargs"
    return MethodCall(parent.attr, call, without_none(args), receiver, is_near)


def _call_with_estimator(
    file: SourceFile, parent: ast.AST | None, receiver: str, is_near: bool
) -> MethodCall | str:
    """Returns the call of a function that takes an Estimator."""
    call = file.parent(parent) if isinstance(parent, ast.keyword) else parent
    if isinstance(call, ast.Call) and file.name_of(call.func) in estimator_flow.STOPS:
        return MethodCall(STOPS_EARLY, call, {}, receiver, is_near)
    if isinstance(call, ast.Call) and file.name_of(call.func) in estimator_flow.ADDS_METRICS:
        args = arguments.bind(call, ("estimator", "metric_fn"))
        if args is None or len(args) != 2:
            return f"add_metrics in line {call.lineno} is called with *args or **kwargs"
        return MethodCall(ADDS_METRICS, call, {"metric_fn": args["metric_fn"]}, receiver, is_near)
    args = arguments.bind(call, _SPECS) if isinstance(call, ast.Call) else None
    if args is None or not isinstance(call, ast.Call) or set(args) != set(_SPECS):
        line = getattr(call, "lineno", 0)
        return f"train_and_evaluate in line {line} is called with *args or **kwargs"
    del args["estimator"]
    return MethodCall(TRAIN_AND_EVALUATE, call, args, receiver, is_near)


def _mark_inner_calls(file: SourceFile, use: EstimatorUse) -> EstimatorUse | str:
    """Marks calls that stand in other calls, or returns the reason why they are not supported."""
    calls = sorted(use.calls, key=lambda method_call: file.span(method_call.call))
    for i, method_call in enumerate(calls):
        outer_calls = (
            other for other in reversed(calls[:i]) if _is_in(file, method_call.call, other.call)
        )
        outer = next(outer_calls, None)
        if outer is not None and not _may_stand_in(method_call, outer):
            line = method_call.call.lineno
            return (
                f"a call on {method_call.receiver} in line {line} is an argument of another call "
                "on it"
            )
        calls[i] = method_call._replace(is_inner=outer is not None)
    return use._replace(calls=tuple(calls))


def _may_stand_in(method_call: MethodCall, outer: MethodCall) -> bool:
    """Says whether a call is supported in the arguments of another."""
    if method_call.method == "model_dir":
        return outer.method.startswith("export")
    if method_call.method == "eval_dir":
        return outer.method == STOPS_EARLY
    return method_call.method == STOPS_EARLY and outer.method in ("train", TRAIN_AND_EVALUATE)


def _is_in(file: SourceFile, node: ast.AST, outer: ast.AST) -> bool:
    return file.span(outer)[0] <= file.span(node)[0] and file.span(node)[1] <= file.span(outer)[1]


def without_none(args: dict[str, ast.expr]) -> dict[str, ast.expr]:
    """Returns the arguments that are not None. An explicit None equals a missing argument."""
    return {
        name: value
        for name, value in args.items()
        if not (isinstance(value, ast.Constant) and value.value is None)
    }


def is_alone(file: SourceFile, statement: ast.stmt) -> bool:
    """Says whether the lines of a statement hold nothing else but a comment."""
    start, end = file.span(statement)
    before = file.text[file.line_start(statement.lineno) : start]
    after = file.text[end : file.line_end(statement.end_lineno or statement.lineno)]
    return not before.strip() and not after.partition("#")[0].strip()


def problem_of_calls(calls: Sequence[MethodCall], supported: dict[str, frozenset[str]]) -> str:
    """Returns the reason why calls cannot be rewritten, or "" if they can.

    Args:
      calls: The calls.
      supported: Supported arguments of each method.
    """
    for method_call in calls:
        unsupported = sorted(
            set(method_call.arguments) - supported.get(method_call.method, frozenset())
        )
        if unsupported:
            return (
                f"the argument {unsupported[0]} of {method_call.method} in line "
                f"{method_call.call.lineno} is not supported"
            )
    return ""
