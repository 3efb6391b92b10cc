"""Turns loops that set the items of a list of RNN cells into list comprehensions.

draft = without_items(draft)

For example, `cells = [None] * 3` and `for i in range(3): cells[i] = GRUCell(sizes[i])` become
`cells = [GRUCell(sizes[i]) for i in range(3)]`.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.expansion import cell_builders
from migrate.rewrite.model_fns.expansion.cell_builders import CellValues
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion

_ITEM = "cell"  # Preferred name of an item in a comprehension.


class _Loop(NamedTuple):
    """A loop that sets every item of a list.

    Attributes:
      name: Name of the list.
      position: Name of the index.
      item: Name of the earlier item in the loop, or "".
      source: Expression that the loop iterates over.
    """

    name: str
    position: str
    item: str
    source: ast.expr


@expansion
def without_items(draft: Draft) -> Draft:
    """Returns a copy of a file in which no loop of a model_fn sets the cells of a list.

    A loop with other effects stays.

    Args:
      draft: The copy of the file.
    """
    return draft.repeatedly(lambda copied: next(_written(copied), None))


def _written(draft: Draft) -> Iterator[Mapping[ast.stmt, Sequence[Line]]]:
    """Yields the lines that take the place of each loop, and of the start of its list."""
    body = draft.function.body
    for i, statement in enumerate(body):
        if not isinstance(statement, ast.For) or statement.orelse:
            continue
        if not cell_builders.makes_cells(draft.file, statement):
            continue
        loop = _read(statement)
        if loop is None or _leaks(statement, loop, body[i + 1 :]):
            continue
        lists = _lists(loop, body[:i])
        if not lists:
            continue
        source = _range(loop, lists[-1], body[:i]) if len(lists) == 1 else None
        text = None
        if source is not None:
            text = _comprehension(statement, loop._replace(source=source), is_new=True)
        elif _is_over_items(loop):
            text = _comprehension(statement, loop, is_new=False)
        if text is None:
            continue
        indent = draft.file.indent(statement.lineno)
        lines = draft.lines_of(statement, f"{indent}{loop.name} = {text}")
        yield {statement: lines, **({lists[0]: []} if source is not None else {})}


def _read(statement: ast.For) -> _Loop | None:
    """Returns a loop over the indices of a list, some items of which it sets."""
    names = {
        node.value.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
    }
    if len(names) != 1:
        return None
    (name,) = names
    if isinstance(statement.target, ast.Name):
        return _Loop(name, statement.target.id, "", statement.iter)
    parts = statement.target.elts if isinstance(statement.target, ast.Tuple) else []
    targets = [part.id for part in parts if isinstance(part, ast.Name)]
    if ast.unparse(statement.iter) != f"enumerate({name})" or len(targets) != 2 or len(parts) != 2:
        return None
    return _Loop(name, targets[0], targets[1], statement.iter)


def _is_over_items(loop: _Loop) -> bool:
    """Says whether a loop goes over all items of its list."""
    return ast.unparse(loop.source) in (f"range(len({loop.name}))", f"enumerate({loop.name})")


def _leaks(statement: ast.For, loop: _Loop, after: Sequence[ast.stmt]) -> bool:
    """Says whether later statements read the names of a loop."""
    local = slices.bound(statement) - {loop.name}
    inner = set().union(*map(slices.of_comprehensions, after)) if after else set()
    return bool(local & ((slices.open_names(after) - inner) | slices.read(loop.source)))


def _lists(loop: _Loop, before: Sequence[ast.stmt]) -> list[ast.Assign] | None:
    """Returns the statements that make the list. None if another name may have the same list."""
    lists = []
    for statement in before:
        if loop.name not in slices.bound(statement) | slices.read(statement):
            continue
        if not isinstance(statement, ast.Assign) or len(statement.targets) > 1:
            return None
        target, value = statement.targets[0], statement.value
        is_new = isinstance(value, (ast.BinOp, ast.List, ast.ListComp))
        if not is_new or not isinstance(target, ast.Name) or target.id != loop.name:
            return None
        lists.append(statement)
    return lists


def _range(loop: _Loop, start: ast.Assign, before: Sequence[ast.stmt]) -> ast.expr | None:
    """Returns the range of the indices of a list of constants. None if a loop has another one."""
    source, value = None, start.value
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        items = value.left.elts if isinstance(value.left, ast.List) else []
        if len(items) == 1 and isinstance(items[0], ast.Constant):
            source = _parsed(f"range({ast.unparse(value.right)})")
    elif isinstance(value, ast.ListComp) and isinstance(value.elt, ast.Constant):
        generator = value.generators[0]
        if len(value.generators) == 1 and not generator.ifs:
            source = generator.iter
    if source is None or not ast.unparse(source).startswith("range("):
        return None
    between = before[before.index(start) + 1 :]
    is_changed = any(slices.read(source) & slices.bound(part) for part in between)
    texts = (ast.unparse(source), f"range(len({loop.name}))")
    is_whole = isinstance(source, ast.Call) and len(source.args) == 1
    return source if is_whole and not is_changed and ast.unparse(loop.source) in texts else None


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _comprehension(statement: ast.For, loop: _Loop, *, is_new: bool) -> str | None:
    """Returns the comprehension of the items that a loop sets. None if it does more."""
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    item = loop.item or next(
        name for name in (_ITEM, f"{loop.name}_item", f"_{loop.name}_item") if name not in names
    )
    replacer = _Items(loop, item)
    body = [replacer.visit(copy.deepcopy(part)) for part in statement.body]
    cells = CellValues({})
    try:
        cells.follow(body)
    except NotUnderstood:
        return None
    value = cells.values.get(item)
    local = slices.bound(statement) - {loop.position, loop.item}
    if value is None or slices.read(value) & (local | {loop.name}):
        return None  # It reads another item, or a name keeps its value from one round to the next.
    reads = slices.read(value)
    if is_new:
        new = f"[{ast.unparse(value)} for {loop.position} in {ast.unparse(loop.source)}]"
        return new if item not in reads else None
    if loop.position in reads:
        return f"[{ast.unparse(value)} for {loop.position}, {item} in enumerate({loop.name})]"
    return f"[{ast.unparse(value)} for {item} in {loop.name}]"


class _Items(ast.NodeTransformer):
    """Replaces the item of a round, such as `cells[i]`, by a name."""

    def __init__(self, loop: _Loop, item: str) -> None:
        self._text, self._item = f"{loop.name}[{loop.position}]", item

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if ast.unparse(node) == self._text:
            return ast.copy_location(ast.Name(self._item, node.ctx), node)
        self.generic_visit(node)
        return node
