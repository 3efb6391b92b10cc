"""K-means clustering as an Estimator: `experimental.KMeans` of the v1 API.

    from legacy.compat.v1 import estimator

    kmeans = estimator.experimental.KMeans(num_clusters=3, use_mini_batch=False)
    kmeans.train(lambda: tf.data.Dataset.from_tensors(points), steps=1)
    for index in kmeans.predict_cluster_index(lambda: tf.data.Dataset.from_tensors(points)):
        print(kmeans.cluster_centers()[index])

Points come from the input_fn as a tensor, or as features whose columns are concatenated.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from legacy.estimator.canned import clustering
from legacy.estimator.estimator import Estimator
from legacy.estimator.export.outputs import PredictOutput
from legacy.estimator.mode_keys import ModeKeys
from legacy.estimator.run_config import RunConfig
from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

_METRICS = (clustering.SQUARED_EUCLIDEAN_DISTANCE, clustering.COSINE_DISTANCE)
_CHOICES = (clustering.RANDOM_INIT, clustering.KMEANS_PLUS_PLUS_INIT)


class LossRelativeChangeHook(tf1.train.SessionRunHook):
    """Stops training when the loss hardly changes.

    Args:
      loss: A scalar tensor.
      tolerance: Training stops if the change of the loss, divided by 1 + the previous loss, is
        below this value.
    """

    def __init__(self, loss: tf.Tensor, tolerance: float) -> None:
        self._loss = loss
        self._tolerance = tolerance
        self._previous: float | None = None

    def before_run(self, run_context: Any) -> Any:
        """Requests the loss."""
        return tf1.train.SessionRunArgs(self._loss)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Compares the loss with the previous one, and requests a stop if it hardly changed."""
        loss, previous, self._previous = run_values.results, self._previous, run_values.results
        if previous and abs(loss - previous) / (1 + abs(previous)) < self._tolerance:
            run_context.request_stop()


class InitializeClustersHook(tf1.train.SessionRunHook):
    """Initializes the centers on the chief. The other workers wait for them.

    Args:
      init_op: Operation that chooses some centers.
      initialized: A bool variable, true when all centers are chosen.
      is_chief: True if this process is the chief.
    """

    def __init__(self, init_op: tf.Operation, initialized: Any, is_chief: bool) -> None:
        self._init_op = init_op
        self._initialized = initialized
        self._is_chief = is_chief

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Runs `init_op` or waits, until all centers are chosen."""
        while not session.run(self._initialized):
            if self._is_chief:
                session.run(self._init_op)
            else:
                time.sleep(1)


def parse_features_if_necessary(features: Any, feature_columns: Iterable[Any] | None) -> tf.Tensor:
    """Converts features to points.

    Args:
      features: A tensor of points, which is returned as it is, or tensors of shape
        [points, dimensions of the feature] by name.
      feature_columns: Columns that select and convert features. None selects all features, sorted
        by name.

    Returns:
      Points of shape [points, dimensions].
    """
    if not isinstance(features, dict):
        return features
    if feature_columns:
        return tf1.feature_column.input_layer(features, feature_columns)
    return tf.concat([features[name] for name in sorted(features)], axis=1)


def check_arguments(initial_clusters: Any, distance_metric: str) -> None:
    """Checks the arguments of a clustering.

    Args:
      initial_clusters: See `KMeansClustering`.
      distance_metric: See `KMeansClustering`.

    Raises:
      ValueError: If the initialization or the metric is unknown.
    """
    if isinstance(initial_clusters, str) and initial_clusters not in _CHOICES:
        raise ValueError(
            f"Unsupported initialization algorithm '{initial_clusters}': initial_clusters is "
            f"one of {_CHOICES}, centers, or a function."
        )
    if distance_metric not in _METRICS:
        raise ValueError(
            f"Unsupported distance metric '{distance_metric}': distance_metric is one of "
            f"{_METRICS}."
        )


class KMeansClustering(Estimator):
    """An Estimator for k-means clustering.

    Args:
      num_clusters: Number of clusters. Ignored if `initial_clusters` are centers.
      model_dir: Directory of checkpoints and event files.
      initial_clusters: `RANDOM_INIT` takes points of the first batches. `KMEANS_PLUS_PLUS_INIT`
        chooses from the first batch, which needs at least `num_clusters` points. Or the centers,
        an array of shape [clusters, dimensions]. Or a function that takes a list with the points of
        a batch and the number of missing centers, and returns some centers.
      distance_metric: `SQUARED_EUCLIDEAN_DISTANCE` or `COSINE_DISTANCE`.
      seed: Any number makes random choices repeatable. The config's `tf_random_seed` does the same
        and takes precedence.
      use_mini_batch: If true, batches are parts of the data. If false, each batch must contain all
        points.
      mini_batch_steps_per_iteration: Number of mini batches that see the same centers.
      kmeans_plus_plus_num_retries: Number of candidates that `KMEANS_PLUS_PLUS_INIT` draws per
        center.
      relative_tolerance: Training stops when the relative change of the loss is below this value.
        Use it for training without mini batches. None disables the check.
      config: A `RunConfig`.
      feature_columns: Columns that convert a dict of features to points. None takes all features.

    Raises:
      ValueError: If the initialization or the metric is unknown.
    """

    SQUARED_EUCLIDEAN_DISTANCE = clustering.SQUARED_EUCLIDEAN_DISTANCE
    COSINE_DISTANCE = clustering.COSINE_DISTANCE
    RANDOM_INIT = clustering.RANDOM_INIT
    KMEANS_PLUS_PLUS_INIT = clustering.KMEANS_PLUS_PLUS_INIT
    SCORE = "score"
    CLUSTER_INDEX = "cluster_index"
    ALL_DISTANCES = "all_distances"
    CLUSTER_CENTERS_VAR_NAME = clustering.CLUSTERS_VAR_NAME

    def __init__(
        self,
        num_clusters: int,
        model_dir: str | None = None,
        initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE,
        seed: int | None = None,
        use_mini_batch: bool = True,
        mini_batch_steps_per_iteration: int = 1,
        kmeans_plus_plus_num_retries: int = 2,
        relative_tolerance: float | None = None,
        config: RunConfig | None = None,
        feature_columns: Iterable[Any] | None = None,
    ) -> None:
        check_arguments(initial_clusters, distance_metric)
        self._distance_metric = distance_metric

        def model_fn(features: Any, mode: str, config: RunConfig) -> EstimatorSpec:
            graph = clustering.Clustering(
                parse_features_if_necessary(features, feature_columns),
                num_clusters,
                initial_clusters,
                distance_metric,
                use_mini_batch,
                mini_batch_steps_per_iteration,
                seed,
                kmeans_plus_plus_num_retries,
            )
            return _spec(graph, mode, config.is_chief, relative_tolerance)

        super().__init__(model_fn, model_dir, config)

    def predict_cluster_index(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """Yields the cluster index of each point.

        Args:
          input_fn: See `predict`.

        Yields:
          NumPy ints.
        """
        for prediction in self.predict(input_fn, predict_keys=[self.CLUSTER_INDEX]):
            yield prediction[self.CLUSTER_INDEX]

    def score(self, input_fn: Callable[..., Any]) -> Any:
        """Returns the sum of the distances between the first batch's points and their centers.

        Args:
          input_fn: See `evaluate`.

        Returns:
          A NumPy float: squared Euclidean distances, or cosine distances.
        """
        return self.evaluate(input_fn, steps=1)[self.SCORE]

    def transform(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """Yields the distances of each point to all centers.

        Args:
          input_fn: See `predict`.

        Yields:
          NumPy arrays of shape [clusters]: Euclidean distances (not squared), or cosine distances.
        """
        for prediction in self.predict(input_fn, predict_keys=[self.ALL_DISTANCES]):
            distances = prediction[self.ALL_DISTANCES]
            if self._distance_metric == self.SQUARED_EUCLIDEAN_DISTANCE:
                # Rounding can make the distance of a point on a center slightly negative.
                distances = np.sqrt(np.maximum(distances, 0))
            yield distances

    def cluster_centers(self) -> Any:
        """Returns the centers in the latest checkpoint, an array of shape [clusters, dimensions].

        Raises:
          ValueError: If no checkpoint exists.
        """
        return self.get_variable_value(self.CLUSTER_CENTERS_VAR_NAME)


def _spec(
    graph: clustering.Clustering, mode: str, is_chief: bool, tolerance: float | None
) -> EstimatorSpec:
    begin = graph.begin_step() if mode == ModeKeys.TRAIN else None
    with tf.control_dependencies([] if begin is None else [begin]):
        all_distances, indices, distances = graph.infer()
    loss = tf.reduce_sum(distances)
    tf1.summary.scalar("loss/raw", loss)
    train_op, hooks = None, []
    if mode == ModeKeys.TRAIN:
        step = tf1.assign_add(tf1.train.get_global_step(), 1)
        train_op = tf.group(graph.train(indices), step)
        hooks.append(InitializeClustersHook(graph.initialize(), graph.initialized, is_chief))
        if tolerance is not None:
            hooks.append(LossRelativeChangeHook(loss, tolerance))
    names = KMeansClustering
    return EstimatorSpec(
        mode,
        predictions={names.ALL_DISTANCES: all_distances, names.CLUSTER_INDEX: indices},
        loss=loss,
        train_op=train_op,
        eval_metric_ops={names.SCORE: tf1.metrics.mean(loss)},
        training_hooks=hooks,
        export_outputs={
            names.ALL_DISTANCES: PredictOutput(all_distances),
            names.CLUSTER_INDEX: PredictOutput(indices),
            tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY: PredictOutput(indices),
        },
    )
