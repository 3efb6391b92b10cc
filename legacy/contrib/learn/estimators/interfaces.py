"""What an Estimator of contrib.learn offers, as abstract classes: for isinstance checks.

>>> issubclass(Trainable, Evaluable)
False
"""

from __future__ import annotations

import abc
import inspect
from typing import Any


class Evaluable(abc.ABC):
    """Has a `model_dir` and can `evaluate`."""

    @property
    @abc.abstractmethod
    def model_dir(self) -> str:
        """The folder of checkpoints and event files."""

    @abc.abstractmethod
    def evaluate(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        feed_fn: Any = None,
        batch_size: int | None = None,
        steps: int | None = None,
        metrics: Any = None,
        name: str | None = None,
        checkpoint_path: str | None = None,
        hooks: Any = None,
    ) -> dict[str, Any]:
        """Evaluates; see `Estimator.evaluate`."""


class Trainable(abc.ABC):
    """Can `fit`."""

    @abc.abstractmethod
    def fit(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        steps: int | None = None,
        batch_size: int | None = None,
        monitors: Any = None,
        max_steps: int | None = None,
    ) -> Any:
        """Trains; see `Estimator.fit`."""


class Tunable:
    """The constructor's arguments as parameters, as scikit-learn's search over them reads them."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Returns the constructor's arguments, where they are attributes.

        Args:
          deep: Add the parameters of values that have some, as "name__parameter".
        """
        found: dict[str, Any] = {}
        for name in inspect.signature(type(self).__init__).parameters:
            if name == "self":
                continue
            value = getattr(self, name, None)
            found[name] = value
            if deep and hasattr(value, "get_params"):
                inner = value.get_params().items()
                found.update((f"{name}__{each}", given) for each, given in inner)
        return found

    def set_params(self, **params: Any) -> Any:
        """Sets constructor's arguments.

        Args:
          **params: By name, or "name__parameter" for a parameter of a value.

        Returns:
          This object.

        Raises:
          ValueError: There is none of that name.
        """
        valid = self.get_params(deep=True)
        for key, value in params.items():
            name, _, rest = key.partition("__")
            if name not in valid:
                raise ValueError(
                    f"Invalid parameter {name} for estimator {type(self).__name__}: it has "
                    f"{sorted(valid)}."
                )
            if rest:
                valid[name].set_params(**{rest: value})
            else:
                setattr(self, name, value)
        return self
