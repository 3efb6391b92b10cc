"""The RunConfig of a program whose Estimators are bridged: a ring of workers needs no chief.

>>> RunConfig(save_checkpoints_steps=500).save_checkpoints_steps
500

tf.estimator trained in such a cluster by a strategy only, and a RunConfig without one refused it.
A bridged model is trained by a strategy in each cluster.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from legacy import estimator as tf_estimator
from legacy.estimator.cluster import roles


class RunConfig(tf_estimator.RunConfig):
    """As tf.estimator's, whose arguments it takes; worker 0 of a ring without a chief is one."""

    def __init__(self, *args: Any, train_distribute: Any = None, **kwargs: Any) -> None:
        """As tf.estimator's, but for `train_distribute`, which may be what makes the strategy.

        After a strategy has been made, a process cannot join a ring any more.
        """
        self._makes_strategy = train_distribute if callable(train_distribute) else None
        if not callable(train_distribute):
            kwargs["train_distribute"] = train_distribute
        super().__init__(*args, **kwargs)

    @property
    def train_distribute(self) -> Any:
        """The strategy, or what makes it, as `as_estimator.strategy` takes it."""
        return self._makes_strategy or super().train_distribute

    def _place(self, environment: Mapping[str, Any]) -> roles.Place:
        cluster = roles.cluster_of(environment)
        is_ring = set(cluster.jobs) == {"worker"}
        find = roles.place_for_strategy if is_ring else roles.place
        return find(environment)
