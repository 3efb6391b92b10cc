"""Writes the input_fn of a call that gets arrays.

For example, `fit(x, y, steps=9)` of an Estimator becomes
`train(input_fn=lambda: porting.array_dataset(x, y, shuffle=True, repeat=True), steps=9)`.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from migrate.rewrite.analysis import estimator_uses, input_functions
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names

# Parameters of the methods of an Estimator, and of the SKCompat that wraps one.
_ESTIMATOR = {
    "fit": ("x", "y", "input_fn", "steps", "batch_size", "monitors", "max_steps"),
    "partial_fit": ("x", "y", "input_fn", "steps", "batch_size", "monitors"),
    "evaluate": (
        *("x", "y", "input_fn", "feed_fn", "batch_size", "steps", "metrics", "name"),
        *("checkpoint_path", "hooks", "log_progress"),
    ),
    "predict": ("x", "input_fn", "batch_size", "outputs", "as_iterable", "iterate_batches"),
}
_SK_COMPAT = {
    "fit": ("x", "y", "batch_size", "steps", "max_steps", "monitors"),
    "score": ("x", "y", "batch_size", "steps", "metrics", "name"),
    "predict": ("x", "batch_size", "outputs"),
}
METHODS = tuple({**_ESTIMATOR, **_SK_COMPAT})
_SK_BATCH_SIZE = "128"
_NEW_METHODS = {"fit": "train", "partial_fit": "train", "score": "evaluate"}
_NEW_NAMES = {"monitors": "hooks", "outputs": "predict_keys"}
# Arguments that the new call takes, in their order.
_KEPT = ("steps", "max_steps", "monitors", "name", "outputs")
_ITERATORS = ("enumerate", "filter", "iter", "map", "zip")
_PROCESSOR = ".VocabularyProcessor"


class NoArrays(Exception):
    """Raised if the data of a call are not known to be arrays. The message says why."""


class ArrayCall(NamedTuple):
    """A call that gets its data by an input_fn.

    Attributes:
      method: Name of the method.
      arguments: Text of its arguments.
      metrics: The MetricSpecs that it got, or None.
      monitors: Whether it got monitors or hooks.
      joins: Whether it returned the predictions of all batches as one.
      problem: Reason why the data may differ, or "" if they cannot.
    """

    method: str
    arguments: str
    metrics: ast.expr | None
    monitors: bool
    joins: bool
    problem: str


def read(file: SourceFile, call: ast.Call, method: str, wrapped: bool, porting: str) -> ArrayCall:
    """Reads a call that gets arrays.

    Args:
      file: The file.
      call: The call.
      method: Name of the method.
      wrapped: Whether the method is that of an SKCompat.
      porting: Name of the module `modern.porting`.

    Raises:
      NoArrays: It has no counterpart with an input_fn. The message completes "fit in line 3".
    """
    names = (_SK_COMPAT if wrapped else _ESTIMATOR).get(method)
    if names is None:
        raise NoArrays("has no counterpart in tf.estimator")
    args = arguments.bind(call, names)
    if args is None:
        raise NoArrays("is called with *args or **kwargs")
    written = {*args}
    args = estimator_uses.without_none(args)
    if "x" not in args:
        raise NoArrays("gets its data by other arguments than input_fn and x")
    as_iterable = args.pop("as_iterable", ast.Constant(True))
    if not modern_names.is_constant(as_iterable, True, False):
        raise NoArrays("has an as_iterable that is known only at run time")
    supported = ("x", "y", "batch_size", "metrics", *_KEPT)
    others = [name for name in args if name not in supported or name not in names]
    if others:
        raise NoArrays(f"has arrays and the argument {others[0]}")
    for name in ("x", "y"):
        if name in args:
            _check_array(file, args[name], name)
    options = [file.segment(args[name]) for name in ("x", "y") if name in args]
    if "batch_size" in args:
        options.append(f"batch_size={file.segment(args['batch_size'])}")
    elif wrapped and "batch_size" not in written:
        options.append(f"batch_size={_SK_BATCH_SIZE}")
    options += ["shuffle=True", "repeat=True"] if method.endswith("fit") else []
    texts = [f"input_fn=lambda: {porting}.array_dataset({', '.join(options)})"]
    if method == "partial_fit" and "steps" not in written:
        texts.append("steps=1")
    texts += [
        f"{_NEW_NAMES.get(name, name)}={file.segment(args[name])}" for name in _KEPT if name in args
    ]
    joins = method == "predict" and (wrapped or modern_names.is_constant(as_iterable, False))
    texts += ["yield_single_examples=False"] if joins else []
    names_of_x = [part for part in ast.walk(args["x"]) if isinstance(part, ast.Name)]
    is_fixed = joins or all(input_functions.is_fixed(file, part) for part in names_of_x)
    return ArrayCall(
        _NEW_METHODS.get(method, method),
        ", ".join(texts),
        args.get("metrics"),
        "monitors" in args,
        joins,
        input_functions.READ_LATER if method == "predict" and not is_fixed else "",
    )


def _check_array(file: SourceFile, node: ast.expr, name: str) -> None:
    """Raises NoArrays for an iterator, and for code that a lambda cannot contain."""
    inner = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
    if any(isinstance(part, inner) for part in ast.walk(node)):
        raise NoArrays(f"has a value of {name} that a lambda cannot compute")
    value: ast.expr | None = node
    if isinstance(node, ast.Name):
        value = bindings.assigned_value(file, node)
    if value is not None and _is_iterator(file, value):
        raise NoArrays(f"gets {name} from an iterator, in batches that only contrib.learn made")


def _is_iterator(file: SourceFile, node: ast.expr) -> bool:
    if isinstance(node, ast.GeneratorExp):
        return True
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name) and node.func.id in _ITERATORS:
        return True
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("transform", "fit_transform"):
        return file.program_uses(lambda name: name.endswith(_PROCESSOR))
    function = input_functions.function_of(file, node.func)
    return isinstance(function, ast.FunctionDef) and any(
        isinstance(part, (ast.Yield, ast.YieldFrom)) for part in ast.walk(function)
    )
