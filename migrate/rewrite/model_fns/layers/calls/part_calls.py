"""Replaces calls of functions with layers by calls of layers that have these layers.

    calls = PartCalls(maker, part)
    calls.take(statement, call, "network")

For example, `network(x, 3)` becomes `self.network(x)`. `__init__` makes `Network(3)`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.analysis.known_values import Scope
from migrate.rewrite.model_fns.layers import naming
from migrate.rewrite.model_fns.layers.calls import training_arguments
from migrate.rewrite.model_fns.layers.object_maker import Object, ObjectMaker
from migrate.rewrite.model_fns.layers.variable_names import ScopedName


class Part(NamedTuple):
    """A call of a function of the file that has layers.

    Attributes:
      function: Class that replaces the function.
      arguments: Arguments of the class, by parameter.
      inputs: Arguments of the call.
      trains: Text of the training argument, such as "training" for the mode of Keras. "" for none.
      is_shared: Whether the call uses the variables of an earlier call.
      normalizes: Whether the class has batch normalization.
      makes_variables: Whether each call of the function makes variables by tf.Variable.
      numbers_scopes: Whether TensorFlow numbers the scopes of such variables in each call.
    """

    function: str
    arguments: dict[str, ast.expr]
    inputs: list[ast.expr]
    trains: str
    is_shared: bool
    normalizes: bool
    makes_variables: bool
    numbers_scopes: bool


class PartCalls:
    """The calls of functions with layers.

    Attributes:
      shared_classes: Classes with an object that is called several times.
    """

    def __init__(
        self,
        maker: ObjectMaker,
        part: Callable[[Scope, ast.Call, frozenset[str]], Part | None],
    ) -> None:
        """Starts with no calls.

        Args:
          maker: Makes the layers.
          part: Returns the class of a called function, or None if the function has no layers.
        """
        self._maker, self._part = maker, part
        self.shared_classes: set[str] = set()
        self._paths: dict[str, tuple[str, ...]] = {}

    def take(self, statement: ast.stmt, node: ast.Call, name: str) -> None:
        """Replaces network(x, 3) by a layer that is made with 3 and called with x."""
        maker = self._maker
        loop = maker.around.loop_of(statement, node, is_layer=False)
        targets = maker.around.targets(node, loop)
        part = self._part(maker.scope, node, maker.known.names | targets)
        if part is None:
            return
        training_arguments.check(node, part.function, part.normalizes, part.trains)
        loop = maker.around.loop_of(statement, node)
        is_again = any(item.function == part.function for item in maker.items)
        if part.numbers_scopes and (loop or is_again):
            raise NotUnderstood(f"the scopes of variables of {name}() have numbers")
        path = maker.scopes.path(node)
        if maker.scopes.reuses(node) and not part.is_shared:
            raise NotUnderstood(f"{name}() in line {node.lineno} may reuse variables")
        if part.is_shared and part.makes_variables:
            raise NotUnderstood(
                f"{name}() in line {node.lineno} shares some variables and makes others"
            )
        if part.is_shared and loop in maker.nests.loops:
            raise NotUnderstood(f"{name}() in line {node.lineno} may reuse variables")
        if part.is_shared:
            self.shared_classes.add(part.function)
            if loop and any(
                slices.read(value) & targets
                for value in (*part.arguments.values(), *map(slices.parsed, path))
            ):
                raise NotUnderstood(f"the layers that are reused in line {node.lineno} are unknown")
            loop = None
        candidates = [
            item for item in maker.items if item.function == part.function and not item.loop
        ]
        earlier = [item for item in candidates if self._paths[item.attribute] == path]
        use = None
        if not part.is_shared:
            entry = maker.scopes.enter_new(node, f"{name}()", is_scoped=True)
            use = maker.use(statement, node, entry, part.function, part.arguments)
        if part.is_shared and earlier:
            attribute = self._shared_attribute(node, part, earlier[-1])
        elif use is not None and (branch := maker.shared.find(use)):
            attribute = branch
            maker.leave_out(part.arguments.values())
        else:
            attribute = maker.free(naming.snake(part.function), in_loop=loop is not None)
            self._paths[attribute] = path
            if use is not None:
                maker.shared.add(use, attribute)
            scoped_name = ScopedName(maker.around.scopes_of(node, targets), None, "")
            tests = () if part.is_shared else maker.around.tests(node, loop)
            maker.make(
                attribute,
                part.function,
                part.arguments,
                loop,
                targets,
                scoped_name=scoped_name,
                tests=tests,
            )
        texts = [maker.rendered.text(value) for value in part.inputs]
        texts += [f"training={part.trains}"] if part.trains else []
        function = maker.called(attribute, loop)
        maker.replace(node, f"{function}({', '.join(texts)})")

    def _shared_attribute(self, node: ast.Call, part: Part, earlier: Object) -> str:
        """Returns the attribute of an earlier call, for a call that shares its variables."""
        dumps = [ast.dump(expression) for expression in part.arguments.values()]
        if dumps != [ast.dump(expression) for expression in earlier.expressions]:
            raise NotUnderstood(
                f"the layers that are reused in line {node.lineno} have other arguments"
            )
        self._maker.leave_out(part.arguments.values())
        return earlier.attribute
