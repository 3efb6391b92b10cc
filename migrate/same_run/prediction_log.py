"""Log of the predictions of one call, as a recording keeps them.

>>> log = PredictionLog("model")
>>> log.add({"scores": [0.5, 0.25]}, batch=True)
>>> log.event(1)["examples"]
{'scores': 2}
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from migrate.same_run import recording


class PredictionLog:
    """Predictions that have been read so far.

    An error is kept until they are recorded, so that it does not reach the program.

    Args:
      model_dir: Folder of the model.
    """

    def __init__(self, model_dir: str) -> None:
        self._model_dir = model_dir
        self._parts: dict[str, list[Any]] = {}
        self._space: dict[str, int] = {}
        self._shapes: dict[str, list[tuple[int, ...]]] = {}
        self._examples: dict[str, int] = {}
        self._digests: dict[str, Any] = {}
        self._error: Exception | None = None

    def add(self, item: Any, batch: bool) -> None:
        """Adds an example, or a batch of them."""
        try:
            outputs = item if isinstance(item, dict) else {"": item}
            for name, value in outputs.items():
                value = np.asarray(value)
                is_batch = batch and value.ndim > 0
                self._add(str(name), value if is_batch else value[np.newaxis])
        except Exception as error:
            self._error = error

    def _add(self, name: str, examples: np.ndarray) -> None:
        shapes = self._shapes.setdefault(name, [])
        self._examples[name] = self._examples.get(name, 0) + len(examples)
        if not shapes or shapes[-1] != examples.shape[1:]:
            shapes.append(examples.shape[1:])
        flat = examples.ravel()
        data = flat.tobytes() if flat.dtype.kind != "O" else repr(flat.tolist()).encode()
        self._digests.setdefault(name, hashlib.sha256()).update(data)
        space = self._space.setdefault(name, recording.PREDICTIONS_KEPT)
        self._parts.setdefault(name, []).append(flat[:space])
        self._space[name] = max(0, space - flat.size)

    def event(self, number: int) -> dict[str, Any]:
        """Returns the event of predictions.

        Args:
          number: Number of the call.

        Raises:
          Exception: The error that `add` kept.
        """
        if self._error is not None:
            raise self._error
        return {
            "number": number,
            "model_dir": self._model_dir,
            "values": {name: np.concatenate(parts) for name, parts in self._parts.items()},
            "shapes": self._shapes,
            "examples": self._examples,
            "digests": {name: digest.hexdigest() for name, digest in self._digests.items()},
        }
