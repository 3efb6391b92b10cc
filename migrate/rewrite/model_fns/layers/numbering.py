"""Decides which classes number their layers when they are made, so that variables keep their names.

    numbering = Numbering(file)
    numbering.find(objects, {"Block": objects_of_block})
    numbering.counted

TensorFlow 1 numbers the layers of one kind in a scope: `dense`, `dense_1`. The text of a class
determines these numbers, unless its layers are in a loop, under a condition, or in a scope that
layers of its caller share. Such a class counts with `modern.porting.LayerNames`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.layers import variable_names
from migrate.rewrite.model_fns.layers.object_maker import Object
from migrate.rewrite.model_fns.layers.objects import Objects
from migrate.rewrite.model_fns.layers.variable_names import ScopedName


class Numbering:
    """Numbers of layers in the names of their variables.

    Attributes:
      counter: Name of the variable that counts layers.
      counted: Names of the classes that receive a counter.
    """

    def __init__(self, file: SourceFile) -> None:
        """Starts with no classes.

        Args:
          file: The file.
        """
        self.counter = file.new_name("names", "the counter of the layers with one name")
        self.counted: frozenset[str] = frozenset()
        self._kinds: set[str] = set()

    def find(self, first: Objects, classes: Mapping[str, Objects]) -> None:
        """Finds the classes that receive a counter to number their layers.

        A class needs a counter if its layers continue the numbers of a scope, because only the
        caller knows how many layers precede them, or if it is called in a scope.

        Args:
          first: Objects of the model.
          classes: Objects of the class of each function with layers, by the name of the class.
        """
        names = [
            item.scoped_name for objects in (first, *classes.values()) for item in objects.items
        ]
        self._kinds = {
            scoped_name.kind
            for scoped_name in names
            if scoped_name is not None and scoped_name.own is None
        }
        counted = {
            name for name, objects in classes.items() if _numbers(objects.items, shares_scope=True)
        }
        size = -1
        while size != len(counted):
            size = len(counted)
            for owner, objects in {"": first, **classes}.items():
                for item in objects.items:
                    if item.function in classes and item.scoped_name is not None:
                        counted |= {owner} if owner and item.function in counted else set()
                        is_scoped = bool(item.scoped_name.scopes) or owner in counted
                        counted |= {item.function} if is_scoped else set()
        self.counted = frozenset(counted)

    def is_distinct(self, scoped_name: ScopedName) -> bool:
        """Says whether the name of a layer differs from the names of all layers named by kind.

        Args:
          scoped_name: Name of the layer.
        """
        value = variable_names.constant(scoped_name.own) if scoped_name.own is not None else None
        return value is not None and re.sub(r"_\d+$", "", value) not in self._kinds

    def is_needed(self, first: Objects) -> bool:
        """Says whether the model numbers layers when it is made.

        Args:
          first: Objects of the model.
        """
        calls = any(item.function in self.counted for item in first.items)
        return calls or _numbers(first.items, shares_scope=False)


def _numbers(items: Iterable[Object], *, shares_scope: bool) -> bool:
    """Says whether layers have numbers that their class alone does not determine.

    Args:
      items: Layers of a class.
      shares_scope: Whether other layers of the model may be in the scope of the class.
    """
    named_items = [(item, item.scoped_name) for item in items if item.scoped_name is not None]
    return any(
        name.own is None
        and name.kind
        and (item.loop or item.tests or (shares_scope and not name.scopes))
        for item, name in named_items
    )
