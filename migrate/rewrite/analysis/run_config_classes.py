r"""Reads subclasses of RunConfig whose properties return constants.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "from legacy import estimator as e\n"
...     "class Config(e.RunConfig):\n"
...     "    @property\n"
...     "    def keep_checkpoint_max(self): return 3\n"
...     "config = Config()\n"
... )
>>> subclass = class_of(file, file.tree.body[-1].value, ("tf.estimator.RunConfig",))
>>> file.segment(overrides(file, subclass)["keep_checkpoint_max"])
'3'
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile


def class_of(file: SourceFile, node: ast.expr, names: Collection[str]) -> ast.ClassDef | None:
    """Returns the class of the file that an expression makes an object of.

    Args:
      file: The file.
      node: The expression.
      names: Names of RunConfigs, of which the class must be a subclass.
    """
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return None
    bound = bindings.of_scope(file, node.func)
    if len(bound) != 1 or not isinstance(bound[0], ast.ClassDef):
        return None
    statement = bound[0]
    if len(statement.bases) != 1 or statement.keywords or statement.decorator_list:
        return None
    is_changed = bindings.is_rebound_indirectly(file, node.func)
    is_config = file.name_of(statement.bases[0]) in names
    return statement if is_config and not is_changed else None


def overrides(file: SourceFile, statement: ast.ClassDef) -> dict[str, ast.expr] | str:
    """Returns the settings that a class fixes, or the reason why they are not known.

    Args:
      file: The file.
      statement: The class.
    """
    settings: dict[str, ast.expr] = {}
    for part in statement.body:
        is_docstring = isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
        if is_docstring or isinstance(part, ast.Pass):
            continue
        value = _constant(part)
        if value is None or not isinstance(part, ast.FunctionDef):
            return (
                f"its RunConfig is of the class {statement.name}, and line {part.lineno} of it is "
                "not a property with a constant: pass the settings to RunConfig"
            )
        settings[part.name] = value
    return settings


def _constant(statement: ast.stmt) -> ast.expr | None:
    """Returns the constant that a property returns. None for other statements."""
    if not isinstance(statement, ast.FunctionDef) or len(statement.body) != 1:
        return None
    decorators = [ast.unparse(decorator) for decorator in statement.decorator_list]
    value = statement.body[0]
    if decorators != ["property"] or not isinstance(value, ast.Return):
        return None
    return value.value if isinstance(value.value, ast.Constant) else None
