"""Writes the normalizer_fn of a convolution of tf.contrib.layers or slim as calls of its own.

draft = without_normalizers(draft)

For example, `slim.conv2d(x, 8, 3, normalizer_fn=slim.batch_norm, scope="a")` becomes
`tf.nn.relu(slim.batch_norm(slim.conv2d(x, 8, 3, biases_initializer=None, activation_fn=None,
scope="a"), scope="a/BatchNorm"))`: its own activation follows the normalization.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine import bindings
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.expansion.functions import inlining
from migrate.rewrite.model_fns.rendering import Rendered
from migrate.rewrite.names import modern_names

_MODULES = ("tf.contrib.layers", "tf.contrib.slim")
_CONVOLUTIONS = tuple(f"{module}.{n}" for module in _MODULES for n in ("conv2d", "convolution2d"))
_NORMALIZERS = tuple(f"{module}.batch_norm" for module in _MODULES)
_KEYWORDS = ("normalizer_fn", "normalizer_params", "activation_fn", "biases_initializer")


@expansion
def without_normalizers(draft: Draft) -> Draft:
    """Returns a copy of a file in which no convolution of a model_fn has a normalizer_fn.

    Args:
      draft: The copy of the file.

    Raises:
      NotUnderstood: A convolution has no scope, whose name the normalization shares.
    """
    if "normalizer_fn" not in draft.file.text:
        return draft
    new_lines: dict[ast.stmt, Sequence[Line]] = {}
    for statement in inlining.statements_of(draft.function.body, in_loops=True):
        rendered, is_changed = Rendered(draft.file), False
        calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
        # Inner calls end first. The texts of outer calls contain their replacements.
        for call in sorted(calls, key=lambda node: draft.file.span(node)[1]):
            text = _text(draft, call, rendered)
            if text:
                rendered.replace(call, text)
                is_changed = True
        if is_changed:
            indent = draft.file.indent(statement.lineno)
            new_lines[statement] = draft.lines_of(statement, rendered.statement(statement, indent))
    return draft.with_lines(new_lines) if new_lines else draft


def _text(draft: Draft, call: ast.Call, rendered: Rendered) -> str:
    """Returns the text of a convolution, its normalization and its activation. "" for others."""
    file = draft.file
    if file.name_of(call.func) not in _CONVOLUTIONS:
        return ""
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    normalizer = keywords.get("normalizer_fn")
    if normalizer is None or modern_names.is_constant(normalizer, None):
        return ""
    scope = keywords.get("scope")
    if file.name_of(normalizer) not in _NORMALIZERS or None in keywords or len(call.args) > 7:
        raise NotUnderstood(f"the normalizer_fn in line {call.lineno} is not supported")
    if scope is None:
        raise NotUnderstood(f"the normalized layer in line {call.lineno} has no scope")
    parts = [rendered.text(part) for part in call.args]
    parts += [
        f"{name}={rendered.text(value)}"
        for name, value in keywords.items()
        if name not in _KEYWORDS
    ]
    parts += ["activation_fn=None", "biases_initializer=None"]
    convolution = f"{file.segment(call.func)}({', '.join(parts)})"
    prefix = file.segment(scope)
    prefix = f"({prefix})" if isinstance(scope, (ast.BoolOp, ast.IfExp)) else prefix
    name = f"{prefix} + '/BatchNorm'"
    if isinstance(scope, ast.Constant) and isinstance(scope.value, str):
        name = repr(f"{scope.value}/BatchNorm")
    options = [*_options(draft, keywords.get("normalizer_params")), f"scope={name}"]
    text = f"{file.segment(normalizer)}({', '.join([convolution, *options])})"
    activation = keywords.get("activation_fn")
    if modern_names.is_constant(activation, None):
        return text
    tf = bridged_configs.tensorflow(file)
    if activation is None and not tf:
        raise NotUnderstood(bridged_configs.NAMELESS)
    function = f"{tf}.nn.relu" if activation is None else file.segment(activation)
    return f"{function}({text})"


def _options(draft: Draft, node: ast.expr | None) -> list[str]:
    """Returns the texts of the normalizer_params as keyword arguments."""
    file = draft.file
    value = bindings.assigned_value(file, node) if isinstance(node, ast.Name) else node
    if value is None or modern_names.is_constant(value, None):
        if node is None or value is not None:
            return []
        raise NotUnderstood(f"the normalizer_params {ast.unparse(node)} are unknown")
    uses = bindings.uses_of_value(file, value) or []
    if any(isinstance(file.parent(use), (ast.Attribute, ast.Subscript)) for use in uses):
        raise NotUnderstood("the normalizer_params may change")
    pairs: list[tuple[str | None, ast.expr]] = []
    if isinstance(value, ast.Dict):
        for key, item in zip(value.keys, value.values, strict=True):
            pairs.append((getattr(key, "value", None), item))
    elif isinstance(value, ast.Call) and ast.unparse(value.func) == "dict" and not value.args:
        pairs = [(keyword.arg, keyword.value) for keyword in value.keywords]
    else:
        raise NotUnderstood("the normalizer_params are not a dictionary literal")
    if not all(isinstance(name, str) for name, _ in pairs):
        raise NotUnderstood("the keys of the normalizer_params are unknown")
    # The collection of updates is the default.
    pairs = [pair for pair in pairs if file.name_of(pair[1]) != "tf.GraphKeys.UPDATE_OPS"]
    return [f"{name}={file.segment(item)}" for name, item in pairs]
