"""Finds the functions of a file that a model_fn calls, and that its analysis cannot read.

helper = of_call(draft, call)
if helper is not None and is_wanted(draft, helper, Depth.LATE):
    arguments = bound(helper, call)
"""

from __future__ import annotations

import ast
import enum
from typing import NamedTuple

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks
from migrate.rewrite.model_fns.expansion.draft import Draft
from migrate.rewrite.model_fns.layers import parts

# Names of computations that belong to no forward pass.
_LATE = (
    "tf.GraphKeys",
    "tf.add_to_collection",
    "tf.contrib.layers.optimize_loss",
    "tf.contrib.losses.",
    "tf.contrib.slim.learning",
    "tf.contrib.slim.losses",
    "tf.control_dependencies",
    "tf.estimator.EstimatorSpec",
    "tf.estimator.export.",
    "tf.get_collection",
    "tf.gradients",
    "tf.losses.",
    "tf.metrics.",
    "tf.train.",
    "tf.trainable_variables",
)


class Depth(enum.IntEnum):
    """The helpers to inline."""

    LATE = 1  # Those with losses, metrics, train_ops or specs.
    LAYERS = 2  # Those with layers, too.


class Helper(NamedTuple):
    """A function that a model_fn calls.

    Attributes:
      function: The function.
      owner: Name of the first argument, which the call does not pass: "self", or "" for none.
      is_inner: Whether it is nested, and shares variables with the functions around it.
    """

    function: ast.FunctionDef
    owner: str
    is_inner: bool


def of_call(draft: Draft, call: ast.Call) -> Helper | None:
    """Returns the function of the file that a call runs. None for other functions.

    Args:
      draft: The copy of the file.
      call: Call in the model_fn.
    """
    file = draft.file
    if isinstance(call.func, ast.Attribute):
        return _method(draft, call.func)
    if not isinstance(call.func, ast.Name):
        return None
    bound = bindings.of_scope(file, call.func)
    if len(bound) != 1 or not isinstance(bound[0], ast.FunctionDef):
        return None
    function = bound[0]
    if function.decorator_list or file.function(draft.function) is function:
        return None
    if file.parent(function) is file.tree:
        return Helper(function, "", is_inner=False)
    around = file.function(function)  # Also if a branch of it defines the function.
    is_inner = around is not None and around in (draft.function, file.function(draft.function))
    return Helper(function, "", is_inner=True) if is_inner else None


def _method(draft: Draft, node: ast.Attribute) -> Helper | None:
    """Returns the method that `self.name` is in a model_fn that is a method itself."""
    owner, name = owner_of(draft), node.attr
    around = draft.file.parent(draft.function)
    if not owner or not isinstance(around, ast.ClassDef):
        return None
    if not isinstance(node.value, ast.Name) or node.value.id != owner:
        return None
    found = [one for one in around.body if getattr(one, "name", "") == name]
    if len(found) != 1 or not isinstance(found[0], ast.FunctionDef):
        return None
    # A class of another file, or of this one, may override the method.
    same = [
        one for one in draft.file.nodes if isinstance(one, ast.FunctionDef) and one.name == name
    ]
    if len(same) != 1:
        raise NotUnderstood(f"another class may replace the method {name}()")
    decorators = [ast.unparse(one) for one in found[0].decorator_list]
    if decorators == ["staticmethod"]:
        return Helper(found[0], "", is_inner=False)
    own = found[0].args.args[0].arg if found[0].args.args else ""
    return Helper(found[0], own, is_inner=False) if not decorators and own else None


def owner_of(draft: Draft) -> str:
    """Returns the first parameter of a model_fn that is a method, or "" for a function."""
    function = draft.function
    is_method = isinstance(draft.file.parent(function), ast.ClassDef)
    if not is_method or function.decorator_list or not function.args.args:
        return ""
    return function.args.args[0].arg


def is_wanted(draft: Draft, helper: Helper, depth: Depth) -> bool:
    """Says whether the analysis needs the statements of a helper.

    Args:
      draft: The copy of the file.
      helper: The helper.
      depth: The helpers to inline.
    """
    if _has_names(draft, helper.function, _LATE, set()):
        return not _is_plain(draft.file, helper)
    has_layers = _has_names(draft, helper.function, parts.MAKE_VARIABLES, set())
    is_other = bool(helper.owner) or helper.is_inner
    return has_layers and (is_other or depth >= Depth.LAYERS) or is_other


def _is_plain(file: SourceFile, helper: Helper) -> bool:
    """Says whether methods of a Keras model can call a helper as it is."""
    if helper.owner or helper.is_inner:
        return False
    name = helper.function.name
    collects = ("get_total_loss", "get_losses", "add_loss")
    is_collected = any(
        match.name.startswith("tf.losses.") and match.name.endswith(collects)
        for match in file.names()
    )
    return not is_collected and checks.is_plain(file, name, has_labels=True)


def _has_names(
    draft: Draft, function: ast.FunctionDef, prefixes: tuple[str, ...], seen: set[str]
) -> bool:
    """Says whether a function, or one that it calls, uses a name of TensorFlow."""
    seen.add(function.name)
    if any(match.name.startswith(prefixes) for match in checks.names_in(draft.file, function)):
        return True
    for node in ast.walk(function):
        called = of_call(draft, node) if isinstance(node, ast.Call) else None
        is_new = called is not None and called.function.name not in seen
        if called is not None and is_new and _has_names(draft, called.function, prefixes, seen):
            return True
    return False


def bound(helper: Helper, call: ast.Call) -> dict[str, ast.expr]:
    """Returns the arguments of a call by the parameters of its helper, with defaults.

    Args:
      helper: The helper.
      call: The call.

    Raises:
      NotUnderstood: It has starred arguments, or wrong ones.
    """
    given = parts.bound_arguments(helper.function, call, has_owner=bool(helper.owner))
    if helper.owner:
        assert isinstance(call.func, ast.Attribute)
        given = {helper.owner: call.func.value, **given}
    return given
