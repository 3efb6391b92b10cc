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
    """An Estimator that clusters points.

    Args:
      num_clusters: Number of clusters. Ignored if `initial_clusters` holds centers.
      model_dir: Folder of the checkpoints and event files.
      initial_clusters: As in `tf.compat.v1.estimator.experimental.KMeans`.
      distance_metric: `SQUARED_EUCLIDEAN_DISTANCE` or `COSINE_DISTANCE`.
      random_seed: Seed of the random choices, which makes runs repeatable.
      use_mini_batch: If true, each batch is a subset of all points. If false, each batch must hold
        all points.
      mini_batch_steps_per_iteration: Number of mini batches between two updates of the centers.
      kmeans_plus_plus_num_retries: Number of candidates that `KMEANS_PLUS_PLUS_INIT` draws per
        center.
      relative_tolerance: Training stops when the relative change of the loss is below this value.
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
        """Yields the cluster index of each point.

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
        """Returns the distances of each point to all centers.

        Args:
          input_fn: As in `predict`.
          as_iterable: If true, returns an iterator over points, of dicts with `ALL_SCORES`.

        Returns:
          The distances of the first batch, an array of shape [points, clusters]: squared Euclidean
          distances, or cosine distances.
        """
        predictions = self.predict(
            input_fn=input_fn, outputs=[self.ALL_SCORES], as_iterable=as_iterable
        )
        return predictions if as_iterable else predictions[self.ALL_SCORES]

    def clusters(self) -> Any:
        """Returns the latest checkpoint's centers, an array of shape [clusters, dimensions]."""
        return self.get_variable_value(self.CLUSTERS)


def _ops(
    graph: clustering.Clustering, mode: str, is_chief: bool, tolerance: float | None
) -> ModelFnOps:
    # As in the original, every mode builds the whole graph, and with it all variables.
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
