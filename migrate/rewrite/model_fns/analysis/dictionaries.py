r"""Reads the entries of a dictionary that a path of a model_fn fills.

For example, the entries after `metrics = {"a": x}`, `metrics["b"] = y`, `metrics.update({"c": z})`
and `del metrics["a"]` are y and z.
"""

from __future__ import annotations

import ast

from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import resolving, slices
from migrate.rewrite.model_fns.analysis.modes import Path
from migrate.rewrite.names import modern_names

_SERVING = "serving_default"


def values(path: Path, node: ast.expr | None, label: str) -> dict[str, ast.expr]:
    """Returns the resolved values of a dictionary by its keys. Empty for no expression.

    Args:
      path: Path that fills the dictionary.
      node: Expression of the dictionary at the end of the path, or None.
      label: Name of the dictionary in error messages.

    Raises:
      NotUnderstood: The entries are unknown.
    """
    if node is None:
        return {}
    pairs = entries(path, node, label)
    return {name: resolving.resolved(path, value) for name, value in pairs.items()}


def entries(path: Path, node: ast.expr, label: str) -> dict[str, ast.expr]:
    """Returns the values of a dictionary by its keys.

    Args:
      path: Path that fills the dictionary.
      node: Expression of the dictionary at the end of the path.
      label: Name of the dictionary in error messages.

    Raises:
      NotUnderstood: The entries are unknown.
    """
    if modern_names.is_constant(node, None):
        return {}
    if isinstance(node, ast.Dict):
        values: dict[str, ast.expr] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                values.update(entries(path, value, label))
            else:
                values[_key(path, key, label)] = value
        return values
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "dict":
        values = {}
        for argument in node.args:
            values.update(entries(path, argument, label))
        for keyword in node.keywords:
            if keyword.arg is None:
                values.update(entries(path, keyword.value, label))
            else:
                values[keyword.arg] = keyword.value
        return values
    if not isinstance(node, ast.Name):
        raise NotUnderstood(f"its {label} are not a dictionary literal")
    places = [
        i for i, statement in enumerate(path.statements) if node.id in slices.replaces(statement)
    ]
    binder = path.statements[places[-1]] if places else None
    if not isinstance(binder, ast.Assign) or not isinstance(binder.targets[0], ast.Name):
        raise NotUnderstood(f"its {label} are not a dictionary literal")
    before = path._replace(statements=path.statements[: places[-1]])
    values = entries(before, binder.value, label)
    for statement in path.statements[places[-1] + 1 :]:
        if node.id in slices.bound(statement):
            _change(path, statement, node.id, label, values)
    return values


def _change(
    path: Path, statement: ast.stmt, name: str, label: str, values: dict[str, ast.expr]
) -> None:
    """Changes the entries of a dictionary as a statement does."""
    added = _added(path, statement, name, label)
    if added is not None:
        values.update(added)
        return
    keys = [_key(path, key, label) for key in _removed(statement, name)]
    if not keys or not {*keys} <= {*values}:
        raise NotUnderstood(f"its {label} change in line {statement.lineno}")
    for key in keys:
        del values[key]


def _added(path: Path, statement: ast.stmt, name: str, label: str) -> dict[str, ast.expr] | None:
    """Returns the entries that a statement adds to a dictionary. None for other statements."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, ast.Subscript) and ast.unparse(target.value) == name:
            return {_key(path, target.slice, label): statement.value}
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and ast.unparse(call.func) == f"{name}.update":
        dictionary = ast.Call(ast.Name("dict", ast.Load()), call.args, call.keywords)
        return entries(path, dictionary, label)
    return None


def _removed(statement: ast.stmt, name: str) -> list[ast.expr]:
    """Returns the keys that `del a["b"]` or `a.pop("b")` removes. Empty for other statements."""
    if isinstance(statement, ast.Delete):
        keys = [
            target.slice
            for target in statement.targets
            if isinstance(target, ast.Subscript) and ast.unparse(target.value) == name
        ]
        return keys if len(keys) == len(statement.targets) else []
    call = statement.value if isinstance(statement, (ast.Assign, ast.Expr)) else None
    is_pop = isinstance(call, ast.Call) and ast.unparse(call.func) == f"{name}.pop"
    return call.args[:1] if isinstance(call, ast.Call) and is_pop else []


def _key(path: Path, key: ast.expr, label: str) -> str:
    """Returns the text of a key."""
    key = resolving.resolved(path, key)
    # The TensorFlow constant for the default signature.
    if isinstance(key, ast.Attribute) and key.attr == "DEFAULT_SERVING_SIGNATURE_DEF_KEY":
        return _SERVING
    if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
        raise NotUnderstood(f"the keys of its {label} are unknown")
    return key.value
