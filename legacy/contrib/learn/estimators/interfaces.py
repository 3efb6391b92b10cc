"""Abstract classes of contrib.learn's Estimators, for isinstance checks.

>>> issubclass(Trainable, Evaluable)
False
"""

from __future__ import annotations

import abc
import inspect
from typing import Any


class Evaluable(abc.ABC):
    """An object with a `model_dir` that can `evaluate`."""

    @property
    @abc.abstractmethod
    def model_dir(self) -> str:
        """The folder of the checkpoints and event files."""

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
        """Evaluates a checkpoint. See `Estimator.evaluate`."""


class Trainable(abc.ABC):
    """An object that can `fit`."""

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
        """Trains the model. See `Estimator.fit`."""


class Tunable:
    """Constructor arguments as parameters, in the interface of scikit-learn's parameter search."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Returns the constructor arguments that are attributes.

        Args:
          deep: If true, adds the parameters of values that have parameters, as "name__parameter".
        """
        params: dict[str, Any] = {}
        for name in inspect.signature(type(self).__init__).parameters:
            if name == "self":
                continue
            value = getattr(self, name, None)
            params[name] = value
            if deep and hasattr(value, "get_params"):
                inner = value.get_params().items()
                params.update(
                    (f"{name}__{inner_name}", inner_value) for inner_name, inner_value in inner
                )
        return params

    def set_params(self, **params: Any) -> Any:
        """Sets constructor arguments.

        Args:
          **params: Values by name, or by "name__parameter" for a parameter of a value.

        Returns:
          This object.

        Raises:
          ValueError: A parameter does not exist.
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
