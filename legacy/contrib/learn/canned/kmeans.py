"""K-means clustering as an Estimator of contrib.learn.

    kmeans = contrib.learn.KMeansClustering(num_clusters=3, use_mini_batch=False)
    kmeans.fit(input_fn=lambda: (points, None), steps=10)
    centers = kmeans.clusters()

`contrib.factorization.KMeansClustering` is the same on tf.estimator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from legacy.contrib.learn.estimators.estimator import Estimator
from legacy.contrib.learn.estimators.model_fn_ops import ModelFnOps
from legacy.estimator.canned import clustering, kmeans
from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1


class KMeansClustering(Estimator):
    """An Estimator that finds clusters of points.

    Args:
      num_clusters: How many clusters; not looked at where `initial_clusters` are centers.
      model_dir: Where checkpoints and event files go.
      initial_clusters: As in `tf.compat.v1.estimator.experimental.KMeans`.
      distance_metric: `SQUARED_EUCLIDEAN_DISTANCE` or `COSINE_DISTANCE`.
      random_seed: Any number makes random choices repeat in the next run.
      use_mini_batch: Whether batches are parts of all points; else each has to be all of them.
      mini_batch_steps_per_iteration: How many mini batches see the same centers.
      kmeans_plus_plus_num_retries: How many candidates `KMEANS_PLUS_PLUS_INIT` draws per center.
      relative_tolerance: Training stops when the loss changes by less than this much of it.
      config: A `RunConfig` of contrib.learn.
    """

    SQUARED_EUCLIDEAN_DISTANCE = clustering.SQUARED_EUCLIDEAN_DISTANCE
    COSINE_DISTANCE = clustering.COSINE_DISTANCE
    RANDOM_INIT = clustering.RANDOM_INIT
    KMEANS_PLUS_PLUS_INIT = clustering.KMEANS_PLUS_PLUS_INIT
    SCORES = "scores"
    CLUSTER_IDX = "cluster_idx"
    CLUSTERS = clustering.CLUSTERS_VAR_NAME
    ALL_SCORES = "all_scores"
    LOSS_OP_NAME = "kmeans_loss"

    def __init__(
        self,
        num_clusters: int,
        model_dir: str | None = None,
        initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE,
        random_seed: int = 0,
        use_mini_batch: bool = True,
        mini_batch_steps_per_iteration: int = 1,
        kmeans_plus_plus_num_retries: int = 2,
        relative_tolerance: float | None = None,
        config: RunConfig | None = None,
    ) -> None:
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> ModelFnOps:
            if labels is not None:
                raise AssertionError(f"KMeansClustering takes no labels, and got {labels}.")
            graph = clustering.Clustering(
                kmeans.parse_features_if_necessary(features, None),
                num_clusters,
                initial_clusters,
                distance_metric,
                use_mini_batch,
                mini_batch_steps_per_iteration,
                random_seed,
                kmeans_plus_plus_num_retries,
            )
            return _ops(graph, mode, config.is_chief, relative_tolerance)

        super().__init__(model_fn, model_dir=model_dir, config=config)

    def predict_cluster_idx(self, input_fn: Callable[[], Any] | None = None) -> Iterator[Any]:
        """Yields the index of each point's cluster.

        Args:
          input_fn: As in `predict`.

        Yields:
          NumPy ints.
        """
        for prediction in self.predict(input_fn=input_fn, outputs=[self.CLUSTER_IDX]):
            yield prediction[self.CLUSTER_IDX]

    def score(self, input_fn: Callable[[], Any] | None = None, steps: int | None = None) -> Any:
        """Returns the sum of the last batch's distances to the nearest centers.

        Args:
          input_fn: As in `evaluate`.
          steps: As in `evaluate`.

        Returns:
          A NumPy float: squared distances, or cosine distances.
        """
        return np.sum(self.evaluate(input_fn=input_fn, steps=steps)[self.SCORES])

    def transform(
        self, input_fn: Callable[[], Any] | None = None, as_iterable: bool = False
    ) -> Any:
        """Returns each point's distances to all centers.

        Args:
          input_fn: As in `predict`.
          as_iterable: Return an iterator over points, of dicts with `ALL_SCORES`.

        Returns:
          The first batch's distances, an array of shape [points, clusters]: squared Euclidean
          distances, or cosine distances.
        """
        found = self.predict(input_fn=input_fn, outputs=[self.ALL_SCORES], as_iterable=as_iterable)
        return found if as_iterable else found[self.ALL_SCORES]

    def clusters(self) -> Any:
        """Returns the latest checkpoint's centers, an array of shape [clusters, dimensions]."""
        return self.get_variable_value(self.CLUSTERS)


def _ops(
    graph: clustering.Clustering, mode: str, is_chief: bool, tolerance: float | None
) -> ModelFnOps:
    # The original builds all of it in each mode, and with it its variables.
    begin = graph.begin_step()
    with tf.control_dependencies([] if begin is None else [begin]):
        all_distances, indices, distances = graph.infer()
    names = KMeansClustering
    loss = tf.reduce_sum(distances, name=names.LOSS_OP_NAME)
    tf1.summary.scalar("loss/raw", loss)
    step = tf1.assign_add(tf1.train.get_global_step(), 1)
    hooks = [kmeans.InitializeClustersHook(graph.initialize(), graph.initialized, is_chief)]
    if tolerance is not None:
        hooks.append(kmeans.LossRelativeChangeHook(loss, tolerance))
    return ModelFnOps(
        mode,
        predictions={names.ALL_SCORES: all_distances, names.CLUSTER_IDX: indices},
        eval_metric_ops={names.SCORES: loss},
        loss=loss,
        train_op=tf.group(graph.train(indices), step),
        training_hooks=hooks,
    )
