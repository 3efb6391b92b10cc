"""Finds dropout rates that a model_fn chooses by its mode.

    rate = in_training(scope, node, unused=0)

For example, after `rate = 0.5 if mode == TRAIN else 0.0`, a dropout with `rate` drops in training
only, as a Keras layer with the rate 0.5 does.

    noise_shape(file, node, inputs)

For example, the shape `[tf.shape(x)[0], 1, 8]` for a dropout of `x` is `[None, 1, 8]` in Keras.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.analysis.known_values import Scope
from migrate.rewrite.model_fns.analysis.modes import Modes
from migrate.rewrite.model_fns.layers.object_maker import ObjectMaker
from migrate.rewrite.names import modern_names


def in_training(scope: Scope, node: ast.expr, unused: int) -> ast.expr | None:
    """Returns the rate of the training, if nothing is dropped in other modes. None otherwise.

    Args:
      scope: The function with the dropout.
      node: The rate, or the probability to keep a value.
      unused: The value of it that drops nothing, 0 or 1.
    """
    values = dict(_values(scope, node))
    other = values.get(False)
    if set(values) != {True, False} or not isinstance(other, ast.Constant):
        return None
    return values[True] if other.value == unused else None


def noise_shape(file: SourceFile, node: ast.expr, inputs: ast.expr) -> ast.List | None:
    """Returns a noise_shape in which None stands for the sizes of the inputs.

    Args:
      file: The file.
      node: The noise_shape.
      inputs: Inputs of the dropout.

    Returns:
      The shape. None if no size is one of the inputs.
    """
    if not isinstance(node, (ast.List, ast.Tuple)) or not isinstance(inputs, ast.Name):
        return None
    sizes = [_is_size(file, size, inputs.id, i) for i, size in enumerate(node.elts)]
    elements = [
        ast.Constant(None) if is_size else size
        for is_size, size in zip(sizes, node.elts, strict=True)
    ]
    return ast.copy_location(ast.List(elements, ast.Load()), node) if any(sizes) else None


def with_noise_shape(
    maker: ObjectMaker, init_args: dict[str, ast.expr], inputs: ast.expr
) -> dict[str, ast.expr]:
    """Returns the arguments of a dropout, with None for the sizes of its inputs."""
    value = init_args.get("noise_shape")
    shape = noise_shape(maker.file, value, inputs) if value is not None else None
    if value is None or shape is None:
        return init_args
    maker.leave_out([value])
    texts = [
        "None" if modern_names.is_constant(size, None) else maker.init_rendered.one_line(size)
        for size in shape.elts
    ]
    maker.init_rendered.replace(shape, f"[{', '.join(texts)}]")
    return {**init_args, "noise_shape": shape}


def _is_size(file: SourceFile, node: ast.expr, name: str, axis: int) -> bool:
    """Says whether an expression is the size `tf.shape(x)[0]` of an axis."""
    call = node.value if isinstance(node, ast.Subscript) else None
    if not isinstance(call, ast.Call) or file.name_of(call.func) != "tf.shape":
        return False
    is_axis = isinstance(node, ast.Subscript) and ast.unparse(node.slice) == str(axis)
    return is_axis and not call.keywords and [ast.unparse(part) for part in call.args] == [name]


def _values(scope: Scope, node: ast.expr) -> Iterator[tuple[bool, ast.expr]]:
    """Yields the value in training and the one in other modes, each with whether it trains."""
    modes = scope.modes
    if isinstance(node, ast.IfExp):
        trains = _trains(modes, node.test)
        if trains is not None:
            yield trains, node.body
            yield not trains, node.orelse
        return
    if not isinstance(node, ast.Name):
        return
    binders = [part for part in scope.statements if node.id in slices.bound(part)]
    if any(binder.lineno > node.lineno for binder in binders):
        return
    first, others = (binders[0] if binders else None), binders[1:]
    if isinstance(first, ast.Assign) and not others:
        if not isinstance(first.value, ast.Name):
            yield from _values(scope, first.value)
    elif isinstance(first, ast.If) and not others and first.orelse:
        trains = _trains(modes, first.test)
        branches = [_only_value(first.body, node.id), _only_value(first.orelse, node.id)]
        for value, is_body in zip(branches, (True, False), strict=True):
            if trains is not None and value is not None:
                yield trains == is_body, value
    elif isinstance(first, ast.Assign) and len(others) == 1 and isinstance(others[0], ast.If):
        trains = _trains(modes, others[0].test)
        value = None if others[0].orelse else _only_value(others[0].body, node.id)
        if trains is not None and value is not None and slices.replaces(first) == {node.id}:
            yield trains, value
            yield not trains, first.value


def _trains(modes: Modes, test: ast.expr) -> bool | None:
    text = modes.in_training(test)
    return None if text is None else text == "training"


def _only_value(body: Sequence[ast.stmt], name: str) -> ast.expr | None:
    """Returns the value that a branch assigns to a name, if it does nothing else."""
    statement = body[0] if len(body) == 1 else None
    if not isinstance(statement, ast.Assign) or slices.replaces(statement) != {name}:
        return None
    return statement.value
