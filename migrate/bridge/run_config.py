"""RunConfig for a program whose Estimators are bridged. A cluster of workers needs no chief.

>>> RunConfig(save_checkpoints_steps=500).save_checkpoints_steps
500

tf.estimator could train in a cluster without a chief only under a strategy, and a RunConfig without
a strategy refused the cluster. A bridged model trains under a strategy in each cluster.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from legacy import estimator as tf_estimator
from legacy.estimator.cluster import roles


class RunConfig(tf_estimator.RunConfig):
    """Accepts the arguments of tf.estimator's RunConfig. Without a chief, worker 0 is the chief."""

    def __init__(self, *args: Any, train_distribute: Any = None, **kwargs: Any) -> None:
        """Takes tf.estimator's arguments, but `train_distribute` may be a function.

        The function makes the strategy. A process that has already made a strategy can no longer
        join the cluster of a MultiWorkerMirroredStrategy, so the creation must be delayed.
        """
        self._makes_strategy = train_distribute if callable(train_distribute) else None
        if not callable(train_distribute):
            kwargs["train_distribute"] = train_distribute
        super().__init__(*args, **kwargs)

    @property
    def train_distribute(self) -> Any:
        """The strategy, or the function that makes it, as `as_estimator.strategy` takes it."""
        return self._makes_strategy or super().train_distribute

    def _place(self, environment: Mapping[str, Any]) -> roles.Place:
        cluster = roles.cluster_of(environment)
        is_synchronous = set(cluster.jobs) == {"worker"}
        find = roles.place_for_strategy if is_synchronous else roles.place
        return find(environment)
