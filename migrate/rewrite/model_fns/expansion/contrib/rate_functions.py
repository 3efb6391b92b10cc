"""Writes out the functions that tf.contrib.layers.optimize_loss calls with the learning rate.

draft = without_functions(draft)

For example, `learning_rate=0.1, learning_rate_decay_fn=lambda rate, step: rate / 2` becomes
`learning_rate=0.1 / 2`, and `optimizer=lambda rate: tf.train.AdamOptimizer(rate)` becomes
`optimizer=tf.train.AdamOptimizer(0.1)`.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.rewrite.engine import arguments
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.expansion.functions import inlining
from migrate.rewrite.model_fns.rendering import Rendered

_OPTIMIZE = "tf.contrib.layers.optimize_loss"
_RATE, _STEP, _OPTIMIZER = "learning_rate", "global_step", "optimizer"
_DECAY = "learning_rate_decay_fn"
_PARAMETERS = (
    *("loss", _STEP, _RATE, _OPTIMIZER, "gradient_noise_scale", "gradient_multipliers"),
    *("clip_gradients", _DECAY, "update_ops", "variables", "name", "summaries"),
)
_ATOMS = (ast.Attribute, ast.Call, ast.Constant, ast.Name, ast.Subscript)
_BINDERS = (
    *(ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.ListComp, ast.NamedExpr, ast.SetComp),
)


@expansion
def without_functions(draft: Draft) -> Draft:
    """Returns a copy of a file in which optimize_loss gets no functions of the learning rate.

    Args:
      draft: The copy of the file.
    """
    if "optimize_loss" not in draft.file.text:
        return draft
    new_lines: dict[ast.stmt, Sequence[Line]] = {}
    for statement in inlining.statements_of(draft.function.body):
        rendered = Rendered(draft.file)
        calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
        texts = {call: _text(draft, call, rendered) for call in calls}
        if any(texts.values()):
            for call, text in texts.items():
                if text:
                    rendered.replace(call, text)
            indent = draft.file.indent(statement.lineno)
            new_lines[statement] = draft.lines_of(statement, rendered.statement(statement, indent))
    return draft.with_lines(new_lines) if new_lines else draft


def _text(draft: Draft, call: ast.Call, rendered: Rendered) -> str:
    """Returns the text of a call of optimize_loss without functions. "" if it has none."""
    if draft.file.name_of(call.func) != _OPTIMIZE:
        return ""
    args = arguments.bind(call, _PARAMETERS)
    if args is None or _RATE not in args or _STEP not in args:
        return ""
    texts = {name: draft.file.segment(value) for name, value in args.items()}
    decay, optimizer = args.get(_DECAY), args.get(_OPTIMIZER)
    rate = _atom(texts[_RATE], args[_RATE])
    if decay is not None:
        values = [rate, _atom(texts[_STEP], args[_STEP])]
        texts[_RATE] = _applied(decay, values, rendered)
        rate = f"({texts[_RATE]})"
        del texts[_DECAY]
    if isinstance(optimizer, ast.Lambda):
        texts[_OPTIMIZER] = _applied(optimizer, [rate], rendered)
    elif decay is None:
        return ""
    if not all(texts.values()):
        return ""
    parts = ", ".join(f"{name}={text}" for name, text in texts.items())
    return f"{draft.file.segment(call.func)}({parts})"


def _applied(function: ast.expr, values: Sequence[str], rendered: Rendered) -> str:
    """Returns the text of a function's result. "" for functions that cannot be written out."""
    if isinstance(function, (ast.Attribute, ast.Name)):
        return f"{ast.unparse(function)}({', '.join(values)})"
    if not isinstance(function, ast.Lambda):
        return ""
    names = [argument.arg for argument in function.args.args]
    if len(names) != len(values) or any(isinstance(n, _BINDERS) for n in ast.walk(function.body)):
        return ""
    texts = dict(zip(names, values, strict=True))
    for node in ast.walk(function.body):
        if isinstance(node, ast.Name) and node.id in texts:
            rendered.replace(node, texts[node.id])
    return rendered.text(function.body)


def _atom(text: str, node: ast.expr) -> str:
    return text if isinstance(node, _ATOMS) else f"({text})"
