r"""Reads `warm_start_from` of an Estimator, for the model that replaces it.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> text = (
...     "from legacy import estimator as e\n"
...     "start = e.WarmStartSettings('old', vars_to_warm_start='dense.*')\n"
...     "job = e.Estimator(f, warm_start_from=start)\n"
... )
>>> file = SourceFile(text, "")
>>> start = read(file, file.tree.body[2].value.keywords[0].value)
>>> start.text, [edit.text for edit in start.edits]
('start', ['porting.WarmStartSettings'])
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Edit
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names

SETTINGS = "tf.estimator.WarmStartSettings"
_PARAMETERS = (
    "ckpt_to_initialize_from",
    "vars_to_warm_start",
    "var_name_to_vocab_info",
    "var_name_to_prev_var_name",
)
_VOCABULARY = "it starts from weights of another vocabulary (var_name_to_vocab_info)"
_SLOTS = (
    "a list of vars_to_warm_start also selected the slots of the optimizer, which start from their "
    "initial values now"
)
_UNSEEN = "its WarmStartSettings are not created here, and may select slots of the optimizer"


class WarmStart(NamedTuple):
    """The weights that a model starts from.

    Attributes:
      text: Argument of `porting.warm_start`, or "" if it starts from initial values.
      edits: Edits of the settings, in another statement.
      problem: Reason why results may differ, or "" if they cannot.
    """

    text: str
    edits: tuple[Edit, ...] = ()
    problem: str = ""


def read(file: SourceFile, node: ast.expr | None) -> WarmStart | str:
    """Returns the weights that a model starts from, or the reason why it cannot.

    Args:
      file: The file.
      node: Value of `warm_start_from`, or None without one.
    """
    if node is None:
        return WarmStart("")
    value = bindings.assigned_value(file, node) if isinstance(node, ast.Name) else node
    text = file.segment(node)
    if not isinstance(value, ast.Call) or file.name_of(value.func) != SETTINGS:
        is_path = isinstance(value, (ast.Constant, ast.JoinedStr, ast.BinOp))
        return WarmStart(text, problem="" if is_path else _UNSEEN)
    args = arguments.bind(value, _PARAMETERS)
    if args is None:
        return "its WarmStartSettings are created with *args or **kwargs"
    vocabulary = args.get("var_name_to_vocab_info")
    if vocabulary is not None and not modern_names.is_constant(vocabulary, None):
        return _VOCABULARY
    problem = _SLOTS if _may_be_list(args.get("vars_to_warm_start")) else ""
    settings = f"{bridged_configs.module(file, 'porting')[0]}.WarmStartSettings"
    edit = Edit(*file.span(value.func), settings)
    if value is node:
        start = file.span(value)[0]
        inner = file.segment(value)
        text = settings + inner[file.span(value.func)[1] - start :]
        return WarmStart(text, (), problem)
    uses = bindings.uses_of_value(file, value)
    is_known = uses is not None and all(_is_start(file, use) for use in uses)
    # Other code may need the settings of tf.estimator, which `porting` accepts as well.
    return WarmStart(text, (edit,) if is_known else (), problem)


def _is_start(file: SourceFile, node: ast.Name) -> bool:
    """Says whether an Estimator or a model starts from the settings of a name.

    All Estimators of a file that start from settings become models together.
    """
    parent = file.parent(node)
    if isinstance(parent, ast.keyword):
        return parent.arg == "warm_start_from"
    function = parent.func if isinstance(parent, ast.Call) else None
    return isinstance(function, ast.Attribute) and function.attr == "warm_start"


def _may_be_list(node: ast.expr | None) -> bool:
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, (str, type(None)))
    return node is not None and not is_text
