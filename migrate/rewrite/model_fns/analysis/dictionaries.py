r"""Reads the entries of a dictionary that a path of a model_fn fills.

For example, the entries after `metrics = {"a": x}`, `metrics["b"] = y` and
`metrics.update({"c": z})` are x, y and z.
"""

from __future__ import annotations

import ast

from migrate.rewrite.analysis import modern_names
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import resolving, slices
from migrate.rewrite.model_fns.analysis.modes import Path

_SERVING = "serving_default"


def entries(path: Path, node: ast.expr, what: str) -> dict[str, ast.expr]:
    """Returns the values of a dictionary by its keys.

    Args:
      path: Path that fills it.
      node: Expression that is the dictionary at the end of the path.
      what: Name of the dictionary, for the reason.

    Raises:
      NotUnderstood: Its entries are unknown.
    """
    if modern_names.is_constant(node, None):
        return {}
    if isinstance(node, ast.Dict):
        found: dict[str, ast.expr] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                found.update(entries(path, value, what))
            else:
                found[_key(path, key, what)] = value
        return found
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "dict":
        found = {}
        for one in node.args:
            found.update(entries(path, one, what))
        for keyword in node.keywords:
            given = entries(path, keyword.value, what) if keyword.arg is None else {}
            found.update(given or {str(keyword.arg): keyword.value})
        return found
    if not isinstance(node, ast.Name):
        raise NotUnderstood(f"its {what} are not a dictionary literal")
    places = [i for i, one in enumerate(path.statements) if node.id in slices.replaces(one)]
    binder = path.statements[places[-1]] if places else None
    if not isinstance(binder, ast.Assign) or not isinstance(binder.targets[0], ast.Name):
        raise NotUnderstood(f"its {what} are not a dictionary literal")
    before = path._replace(statements=path.statements[: places[-1]])
    found = entries(before, binder.value, what)
    for statement in path.statements[places[-1] + 1 :]:
        if node.id in slices.bound(statement):
            found.update(_changes(path, statement, node.id, what))
    return found


def _changes(path: Path, statement: ast.stmt, name: str, what: str) -> dict[str, ast.expr]:
    """Returns the entries that a statement adds to a dictionary."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, ast.Subscript) and ast.unparse(target.value) == name:
            return {_key(path, target.slice, what): statement.value}
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and ast.unparse(call.func) == f"{name}.update":
        made = ast.Call(ast.Name("dict", ast.Load()), call.args, call.keywords)
        return entries(path, made, what)
    raise NotUnderstood(f"its {what} change in line {statement.lineno}")


def _key(path: Path, key: ast.expr, what: str) -> str:
    """Returns the text of a key."""
    key = resolving.resolved(path, key)
    # TensorFlow's constant for the default signature.
    if isinstance(key, ast.Attribute) and key.attr == "DEFAULT_SERVING_SIGNATURE_DEF_KEY":
        return _SERVING
    if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
        raise NotUnderstood(f"the keys of its {what} are unknown")
    return key.value
