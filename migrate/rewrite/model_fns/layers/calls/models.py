"""Replaces Keras models and layers that a model_fn assigns to names by attributes.

    models = Models(maker)
    if models.is_one(statement, call, name):
        models.take(statement, call)

For example, `net = make_network(3)` becomes `self.net` in all calls of `net`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import keras_objects, slices
from migrate.rewrite.model_fns.layers.calls import keras_layers, training_arguments
from migrate.rewrite.model_fns.layers.object_maker import ObjectMaker


class Models:
    """The models of a function that it assigns to names."""

    def __init__(self, maker: ObjectMaker) -> None:
        """Starts with no models.

        Args:
          maker: Makes the models.
        """
        self._maker = maker
        self._inference_calls: set[int] = set()  # Ids of calls of models that never train.

    def end_call(self, node: ast.Call) -> bool:
        """Completes a call of a model that never trains. Returns False for other calls."""
        if id(node) not in self._inference_calls:
            return False
        training_arguments.add_false(self._maker.rendered, node)
        return True

    def is_one(self, statement: ast.stmt, node: ast.Call, name: str) -> bool:
        """Says whether a statement only assigns a Keras model, or a layer, to a name."""
        maker = self._maker
        if not isinstance(statement, ast.Assign) or statement.value is not node:
            return False
        if name or not isinstance(node.func, ast.Name):
            return name.startswith(keras_objects.MODELS)
        is_made = keras_objects.maker(maker.file, node, maker.scope.local) is not None
        return is_made and maker.known.is_known(node)

    def take(self, statement: ast.stmt, node: ast.Call) -> None:
        """Replaces `net = Model(3)`, and all uses of `net`, by an attribute."""
        maker = self._maker
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(target, ast.Name):
            raise NotUnderstood(f"the model in line {node.lineno} is not assigned to a name")
        binders = [
            statement
            for statement in maker.scope.statements
            if target.id in slices.bound(statement)
        ]
        if len(binders) > 1 or maker.around.loop_of(statement, node):
            raise NotUnderstood(f"{target.id} in line {node.lineno} is created more than once")
        construction = keras_objects.maker(maker.file, node, maker.scope.local)
        calls = self._calls_of(target.id)
        inference_calls = keras_objects.inference_calls(maker.file, construction or node, calls)
        self._inference_calls |= {id(call) for call in inference_calls}
        attribute = maker.free(target.id)
        maker.make(attribute, maker.file.segment(node.func), keras_layers.arguments_of(node), None)
        keras_layers.note_averages(self._maker, node, attribute)
        maker.leave_out([statement])
        for other in ast.walk(maker.scope.function):
            if isinstance(other, ast.Name) and other.id == target.id and other is not target:
                maker.replace(other, f"self.{attribute}")
                maker.leave_out([other])
                maker.replaced_ids.add(id(maker.file.parent(other)))

    def _calls_of(self, name: str) -> Iterator[ast.Call]:
        for node in ast.walk(self._maker.scope.function):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id == name:
                yield node
