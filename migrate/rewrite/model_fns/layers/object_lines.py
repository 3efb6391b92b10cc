"""Writes the lines of `__init__` that make objects, and the loops that call them.

    init_lines(file, objects, numbering, counter)
    replace_loop(file, objects, rendered, loop)

The layers of a loop become a list, and the loop of `call` iterates over the list. For nested
loops, `__init__` has the same loops, and `call` takes the next layer of the list in each round.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import rendering
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.layers import idle_averages, variable_names
from migrate.rewrite.model_fns.layers.numbering import Numbering
from migrate.rewrite.model_fns.layers.object_maker import Object
from migrate.rewrite.model_fns.layers.objects import DROPPED, Objects
from migrate.rewrite.model_fns.layers.variable_names import ScopedName
from migrate.rewrite.model_fns.rendering import Rendered

_BODY = " " * 8


def init_lines(
    file: SourceFile,
    objects: Objects,
    numbering: Numbering,
    counter: str,
    *,
    is_model: bool = False,
) -> list[str]:
    """Returns the lines of `__init__` that make objects.

    Args:
      file: The file.
      objects: The objects.
      numbering: Numbers of the layers.
      counter: Variable that numbers layers, or "" for none.
      is_model: Whether the objects belong to the model itself, which no caller puts in a scope.
    """
    setup = (objects.maker.init_rendered.statement(statement, _BODY) for statement in objects.setup)
    lines = [text for text in setup if not _is_no_change(text)]
    items = [*_with_names(numbering, objects.items, counter, is_model)]
    for (tests, loop), group in itertools.groupby(items, lambda item: (item.tests, item.loop)):
        layers = [*group]
        if loop is None:
            group_lines = [_line(item) for item in layers]
        elif loop in objects.maker.nests.loops:
            group_lines = _nest_lines(objects, loop, layers)
        elif counter and len(layers) > 1:
            group_lines = [_layer_loop(file, loop, layers)]
        else:
            group_lines = [_layer_list(file, loop, item) for item in layers]
        first = next((i for i, item in enumerate(layers) if item.updates), None)
        if first is not None:
            place = first if loop is None else 0
            group_lines.insert(place, _BODY + idle_averages.comment(layers[first]))
        for test in reversed(tests):
            group_lines = [f"{_BODY}if {test}:", rendering.block(group_lines, " " * 4)]
        lines += group_lines
    return lines


def _line(item: Object) -> str:
    """Returns the statement that makes an object."""
    call = rendering.call(item.function, item.parts, _BODY, f"self.{item.attribute} = ")
    return _BODY + call


def _is_no_change(text: str) -> bool:
    """Says whether a statement is `cell = cell`, the result of removing a wrapper."""
    target, _, value = text.partition(" = ")
    return target.strip() == value.strip()


def _with_names(
    numbering: Numbering, items: Sequence[Object], counter: str, is_model: bool
) -> Iterator[Object]:
    """Yields the objects, with the arguments that name their variables."""
    texts = iter(
        variable_names.numbered([name for item in items if (name := _tensorflow_name(item))])
    )
    for item in items:
        argument = ""
        if item.scoped_name is not None and _tensorflow_name(item) is None:
            if item.function in numbering.counted:
                scope = (
                    variable_names.joined(item.scoped_name.scopes)
                    if item.scoped_name.scopes
                    else ""
                )
                argument = f"{counter}={counter}" + (f".inside({scope})" if scope else "")
        elif item.scoped_name is not None:
            argument = f"name={next(texts)}"
            if counter and not (is_model and numbering.is_distinct(item.scoped_name)):
                argument = f"name={counter}({item.scoped_name.base})"
        arguments = [*item.parts]
        positions = [i for i, text in enumerate(arguments) if text.startswith("name=")]
        if positions and argument.startswith("name="):
            arguments[positions[0]] = argument
        elif argument:
            arguments.append(argument)
        item = item._replace(parts=tuple(arguments))
        yield item._replace(parts=idle_averages.arguments(item))


def _tensorflow_name(item: Object) -> ScopedName | None:
    """Returns the name of a layer or variable that TensorFlow names. None for other objects."""
    name = item.scoped_name
    return name if name is not None and (name.own or name.kind) else None


def _layer_list(file: SourceFile, loop: ast.For, item: Object) -> str:
    """Returns the statement that makes the layers of a loop."""
    inner = f"{_BODY}    "
    constructor = rendering.call(item.function, item.parts, inner)
    target, source = (file.segment(part) for part in (loop.target, loop.iter))
    items = f"{inner}{constructor}\n{inner}for {target} in {source}"
    return f"{_BODY}self.{item.attribute} = [\n{items}\n{_BODY}]"


def _layer_loop(file: SourceFile, loop: ast.For, layers: Sequence[Object]) -> str:
    """Returns the loop that makes layers in the order of their calls, so that numbers match."""
    inner = f"{_BODY}    "
    target, source = (file.segment(part) for part in (loop.target, loop.iter))
    lines = [f"{_BODY}self.{item.attribute} = []" for item in layers]
    lines.append(f"{_BODY}for {target} in {source}:")
    for item in layers:
        before = f"self.{item.attribute}.append("
        lines.append(inner + rendering.call(item.function, item.parts, inner, before, ")"))
    return "\n".join(lines)


def _nest_lines(objects: Objects, loop: ast.For, layers: Sequence[Object]) -> list[str]:
    """Returns the nested loops that make layers, with the values and conditions that they need."""
    lines = [f"{_BODY}self.{item.attribute} = []" for item in layers]
    return [*lines, *_repeated(objects, loop, layers, objects.repeated_names, _BODY)]


def _repeated(
    objects: Objects, statement: ast.stmt, layers: Sequence[Object], names: set[str], indent: str
) -> list[str]:
    """Returns the lines of a statement of nested loops in `__init__`.

    Args:
      objects: All objects of the function.
      statement: The statement of `call`.
      layers: Layers of the loops.
      names: Names that the loops of `__init__` need.
      indent: Indentation of the lines.
    """

    def block(statements: Sequence[ast.stmt], inner: str) -> list[str]:
        return [
            line for child in statements for line in _repeated(objects, child, layers, names, inner)
        ]

    init = objects.maker.init_rendered
    if isinstance(statement, ast.For):
        body = block(statement.body, indent + " " * 4)
        head = f"for {init.one_line(statement.target)} in {init.one_line(statement.iter)}:"
        return [f"{indent}{head}", *body] if body else []
    if isinstance(statement, ast.With):
        return block(statement.body, indent)
    if isinstance(statement, ast.If):
        if objects.maker.nests.is_of_mode(statement.test):
            return block([*statement.body, *statement.orelse], indent)
        test = init.one_line(statement.test)
        body = block(statement.body, indent + " " * 4)
        otherwise = block(statement.orelse, indent + " " * 4)
        if not body:
            return [f"{indent}if not ({test}):", *otherwise] if otherwise else []
        rest = [f"{indent}else:", *otherwise] if otherwise else []
        return [f"{indent}if {test}:", *body, *rest]
    inner = {*ast.walk(statement)}
    lines = []
    for item in layers:
        if item.node in inner:
            before = f"self.{item.attribute}.append("
            lines.append(indent + rendering.call(item.function, item.parts, indent, before, ")"))
    if slices.bound(statement) & names and objects.maker.nests.is_computed(statement):
        lines.append(indent + init.text(statement))
    return lines


def _replace_nest(file: SourceFile, objects: Objects, rendered: Rendered, loop: ast.For) -> None:
    """Changes nested loops so that each call takes the next layer of its list."""
    rendered.restore(loop)  # The text of a class is written several times.
    indent = file.indent(loop.lineno)
    layers = [item.attribute for item in objects.items if item.loop is loop]
    heads = [f"{name} = iter(self.{name})\n{indent}" for name in layers]
    lines: list[str] = []
    is_dropped = False  # Whether the last line is dropped, with the blank lines after it.
    for line in rendered.text(loop).splitlines():
        is_dropped = line.strip().startswith(DROPPED) or is_dropped and not line.strip()
        lines += [] if is_dropped else [line]
    rendered.replace(loop, "".join(heads) + "\n".join(lines))


def replace_loops(file: SourceFile, objects: Objects, rendered: Rendered) -> None:
    """Changes all loops so that they also iterate over their layers.

    Args:
      file: The file.
      objects: All objects of the function.
      rendered: Receives the new texts.
    """
    for loop in {item.loop for item in objects.items if item.loop}:
        replace_loop(file, objects, rendered, loop)
    objects.end_scopes()  # The texts of scopes contain those of loops.


def replace_loop(file: SourceFile, objects: Objects, rendered: Rendered, loop: ast.For) -> None:
    """Changes a loop so that it also iterates over its layers.

    Args:
      file: The file.
      objects: All objects of the function.
      rendered: Receives the new head of the loop.
      loop: The loop.
    """
    if loop in objects.maker.nests.loops:
        _replace_nest(file, objects, rendered, loop)
        return
    layers = [item.attribute for item in objects.items if item.loop is loop]
    names_read: set[str] = set()
    for statement in loop.body:
        names_read |= slices.read_outside(statement, objects.maker.left_out)
    source = ", ".join(f"self.{name}" for name in layers)
    if slices.bound(loop.target) & names_read:
        first = file.segment(loop.target)
        first = f"({first})" if isinstance(loop.target, ast.Tuple) and first[0] != "(" else first
        target = ", ".join([first, *layers])
        # The text of a class is written several times, and must not contain its own change.
        old = objects.loop_sources.setdefault(loop, rendered.text(loop.iter))
        source = f"zip({old}, {source})"
    else:
        target = ", ".join(layers)
        source = source if len(layers) == 1 else f"zip({source})"
        objects.maker.left_out.update(id(part) for part in ast.walk(loop.iter))
    rendered.replace(loop.target, target)
    rendered.replace(loop.iter, source)
