"""Returns the full TensorFlow name that an expression stands for.

>>> import ast
>>> from legacy.reading.bindings import Scopes
>>> scopes = Scopes()
>>> scopes.bind("tf", "tensorflow")
>>> full_name(ast.parse("getattr(tf.contrib, 'slim').conv2d", mode="eval").body, scopes)
'tensorflow.contrib.slim.conv2d'

Attributes, names, `getattr`, `import_module`, lazy loaders, `sys.modules` and `__dict__` with
constant names are followed. A constant ends a name: `tf.flags.FLAGS.x` is `tf.flags.FLAGS` and an
attribute of an object.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from legacy.reading.bindings import Scopes

PACKAGES = frozenset(("tensorflow", "tensorflow_estimator"))
_VERSIONED = PACKAGES | {"tensorflow.compat.v1", "tensorflow.compat.v2"}
# Stands for a name that is computed at run time, as in getattr(tf, "log" + suffix).
UNKNOWN = "?"

# The package under its internal names, which editors have inserted into programs.
_INNER = re.compile(r"^tensorflow(?:_core)?(?:\._api\.v[12](?:\.v2)?)?(?=\.|$)")
_ROOT = re.compile(
    r"^tensorflow(\.compat\.v[12])*(\.(contrib|estimator|layers|train|nn|contrib\.\w+))?$"
)
# Suffix of a value that a function has assigned to a local variable. Looking up an attribute of the
# variable is a use, and so is a call. Passing it on is not, because its assignment counts as the
# use. The suffix is doubled for a value that a condition chose or that an object holds, because a
# call may then call another value.
KEPT = "="
_CLASSES_IN_CAPITALS = frozenset(("GMM", "GRU", "LSTM", "SVM"))
_LOADERS = ("import_module", "LazyLoader", "lazy_module", "lazy_import", "importorskip")


def canonical(module: str) -> str:
    """Returns the public name of a package that is named by one of its internal names.

    Args:
      module: Module of an import, such as "tensorflow_core.contrib" or "tensorflow._api.v1.train".
    """
    return _INNER.sub("tensorflow", module)


def is_root(name: str | None) -> bool:
    """Returns whether a name is TensorFlow itself or one of its large modules."""
    return name is not None and _ROOT.match(name) is not None


def is_constant(name: str) -> bool:
    """Returns whether a name in capitals is a value, such as tf.flags.FLAGS or ModeKeys.TRAIN."""
    last_part = name.rpartition(".")[2]
    capitals = len(last_part) > 1 and last_part.isupper() and last_part not in _CLASSES_IN_CAPITALS
    return capitals or last_part == UNKNOWN


def full_name(node: ast.AST, scopes: Scopes) -> str | None:
    """Returns the full name of an expression. None if it does not come from TensorFlow.

    Args:
      node: The expression.
      scopes: Values of names at the expression's place.
    """
    if isinstance(node, ast.Name):
        return scopes.lookup(node.id)
    if isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            return scopes.attribute(node.attr)
        owner = _owner(node.value, scopes)
        # Dunder names belong to the API only directly below a package, such as tf.__version__.
        if not owner or (node.attr.startswith("__") and owner not in _VERSIONED):
            return None
        return f"{owner}.{node.attr}"
    if isinstance(node, ast.Call):
        return _of_call(node, scopes)
    if isinstance(node, ast.Subscript):
        return _of_subscript(node, scopes)
    return None


def bound_name(node: ast.AST, scopes: Scopes) -> str | None:
    """Returns the full name that a variable stands for after an expression is assigned to it.

    Constants are not followed. Of a choice (`tf.compat.v1 if new else tf`) the first counts, if all
    are TensorFlow.

    Args:
      node: The expression.
      scopes: Values of names at the expression's place.
    """
    choices: list[ast.expr] = []
    if isinstance(node, ast.IfExp):
        choices = [node.body, node.orelse]
    elif isinstance(node, ast.BoolOp):
        choices = node.values
    if choices:
        names = [bound_name(choice, scopes) for choice in choices]
        return names[0] if all(is_root(name) for name in names) else None
    if isinstance(node, ast.NamedExpr):
        return bound_name(node.value, scopes)
    return _owner(node, scopes)


def arguments(signature: ast.arguments, scopes: Scopes) -> dict[str, str | None]:
    """Returns the values of a function's arguments: None, unless the default is TensorFlow.

    Args:
      signature: The arguments.
      scopes: Values of names at the function's definition.
    """
    positional = [*signature.posonlyargs, *signature.args]
    all_arguments = [
        *positional,
        *signature.kwonlyargs,
        *(arg for arg in (signature.vararg, signature.kwarg) if arg),
    ]
    values: dict[str, str | None] = dict.fromkeys(arg.arg for arg in all_arguments)
    with_default = positional[len(positional) - len(signature.defaults) :]
    defaults: list[tuple[ast.arg, ast.expr | None]] = [
        *zip(with_default, signature.defaults, strict=True)
    ]
    defaults += zip(signature.kwonlyargs, signature.kw_defaults, strict=True)
    for argument, default in defaults:
        name = full_name(default, scopes) if default else None
        if is_root(name):
            values[argument.arg] = name
    return values


def strings_in(annotation: ast.AST) -> Iterator[ast.AST]:
    """Yields the types that are written as strings within another, as in Optional["tf.Tensor"].

    Args:
      annotation: The other type.
    """
    owner = getattr(annotation, "value", None)
    if getattr(owner, "attr", getattr(owner, "id", "")) == "Literal":
        return
    for child in ast.iter_child_nodes(annotation):
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child
        elif isinstance(child, (ast.Subscript, ast.Tuple, ast.List, ast.BinOp)):
            yield from strings_in(child)


def catches_absence(handler: ast.ExceptHandler) -> bool:
    """Returns whether an `except` catches the error of a missing name.

    Args:
      handler: The `except`.
    """
    if handler.type is None:
        return True
    error_types = ast.dump(handler.type)
    wide = ("ImportError", "ModuleNotFoundError", "AttributeError", "'Exception'", "BaseException")
    return any(name in error_types for name in wide)


def _owner(node: ast.AST, scopes: Scopes) -> str | None:
    """Returns the full name of an expression whose attributes belong to TensorFlow."""
    name = (full_name(node, scopes) or "").rstrip(KEPT)
    return name if name and not is_constant(name) else None


def _of_call(node: ast.Call, scopes: Scopes) -> str | None:
    """Returns the full name that `getattr`, `import_module` or a lazy loader returns."""
    function = node.func
    function_name = function.attr if isinstance(function, ast.Attribute) else ""
    function_name = function.id if isinstance(function, ast.Name) else function_name
    arguments = [arg.value if isinstance(arg, ast.Constant) else None for arg in node.args]
    if function_name == "getattr" and len(arguments) > 1 and isinstance(function, ast.Name):
        owner = _owner(node.args[0], scopes)
        attribute = arguments[1] if isinstance(arguments[1], str) else UNKNOWN
        return f"{owner}.{attribute}" if owner else None
    if function_name == "__import__" and arguments and isinstance(arguments[0], str):
        head = canonical(arguments[0]).partition(".")[0]
        return head if head in PACKAGES else None
    if function_name in _LOADERS:
        # A lazy loader takes the name to bind first, and the module's name last.
        for argument in reversed(arguments):
            if isinstance(argument, str):
                module = canonical(argument)
                return module if module.partition(".")[0] in PACKAGES else None
    return None


def _of_subscript(node: ast.Subscript, scopes: Scopes) -> str | None:
    """Returns the full name of a subscript of `sys.modules`, `tf.__dict__` or `vars(tf)`."""
    key = node.slice.value if isinstance(node.slice, ast.Constant) else None
    owner = node.value
    if not isinstance(key, str):
        return None
    if isinstance(owner, ast.Attribute):
        if owner.attr == "modules" and canonical(key).partition(".")[0] in PACKAGES:
            return canonical(key)
        within = _owner(owner.value, scopes) if owner.attr == "__dict__" else None
    else:
        is_vars = isinstance(owner, ast.Call) and getattr(owner.func, "id", "") == "vars"
        within = _owner(owner.args[0], scopes) if is_vars and owner.args else None
    return f"{within}.{key}" if within else None
