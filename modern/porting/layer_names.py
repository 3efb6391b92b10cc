"""Layer names as `tf.layers` chose them, for programs that were ported from it.

>>> names = LayerNames()
>>> names("dense"), names("dense"), names("logits")
('dense', 'dense_1', 'logits')
>>> tower = names.inside("tower")
>>> tower("dense"), tower("dense"), names("dense")
('tower/dense', 'tower/dense_1', 'dense_2')

Variables have the names of their layers. So the variables of a ported model keep their old names,
and checkpoints of the old program can be converted by name.
"""

from __future__ import annotations

from modern.process import chosen_keras


class LayerNames:
    """Numbers layers with the same name in the order of their creation, separately in each scope.

    Args:
      scope: The scope of the names, such as "tower". "" for none.
    """

    def __init__(self, scope: str = "") -> None:
        # Keras 3 refuses slashes.
        self._separator = "/" if chosen_keras.version() == 2 else "_"
        self._prefix = self._joined(f"{scope}/") if scope else ""
        self._used: set[str] = set()

    def __call__(self, name: str) -> str:
        """Returns the name in this scope, with a number if an earlier layer has it."""
        base = candidate = f"{self._prefix}{self._joined(name)}"
        number = 0
        while candidate in self._used:
            number += 1
            candidate = f"{base}_{number}"
        self._used.add(candidate)
        return candidate

    def inside(self, scope: str) -> LayerNames:
        """Returns the names in a scope inside this one."""
        inner = LayerNames(f"{self._prefix}{scope}")
        inner._used = self._used
        return inner

    def _joined(self, name: str) -> str:
        return name.replace("/", self._separator)
