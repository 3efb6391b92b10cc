"""tf.contrib.factorization: k-means clustering, as an Estimator of tf.estimator and as a graph.

kmeans = factorization.KMeansClustering(num_clusters=3, use_mini_batch=False)
kmeans.train(lambda: tf.train.limit_epochs(points, num_epochs=1))
centers = kmeans.cluster_centers()
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing
from legacy.estimator.canned import clustering, kmeans
from legacy.estimator.run_config import RunConfig

COSINE_DISTANCE = clustering.COSINE_DISTANCE
KMEANS_PLUS_PLUS_INIT = clustering.KMEANS_PLUS_PLUS_INIT
RANDOM_INIT = clustering.RANDOM_INIT
SQUARED_EUCLIDEAN_DISTANCE = clustering.SQUARED_EUCLIDEAN_DISTANCE


class KMeansClustering(kmeans.KMeansClustering):
    """`tf.compat.v1.estimator.experimental.KMeans`, with other arguments and another `transform`.

    Arguments with the same name have the same meaning.

    Args:
      num_clusters: As in `KMeans`.
      model_dir: As in `KMeans`.
      initial_clusters: As in `KMeans`.
      distance_metric: As in `KMeans`.
      random_seed: As `seed` in `KMeans`.
      use_mini_batch: As in `KMeans`.
      mini_batch_steps_per_iteration: As in `KMeans`.
      kmeans_plus_plus_num_retries: As in `KMeans`.
      relative_tolerance: As in `KMeans`.
      config: As in `KMeans`.
      feature_columns: As in `KMeans`.

    Raises:
      ValueError: The initialization or the metric does not exist.
    """

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
        feature_columns: Iterable[Any] | None = None,
    ) -> None:
        super().__init__(
            num_clusters,
            model_dir,
            initial_clusters,
            distance_metric,
            random_seed,
            use_mini_batch,
            mini_batch_steps_per_iteration,
            kmeans_plus_plus_num_retries,
            relative_tolerance,
            config,
            feature_columns,
        )

    def transform(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """Yields the distances of each point to all centers.

        Args:
          input_fn: As in `predict`.

        Yields:
          NumPy arrays of shape [clusters]: squared Euclidean distances, or cosine distances.
        """
        for prediction in self.predict(input_fn, predict_keys=[self.ALL_DISTANCES]):
            yield prediction[self.ALL_DISTANCES]


class KMeans:
    """The graph of k-means clustering.

    Args:
      inputs: Points of shape [points, dimensions], float32, or a list of such tensors.
      num_clusters: Number of clusters. Ignored if `initial_clusters` holds centers.
      initial_clusters: As in `KMeansClustering`.
      distance_metric: As in `KMeansClustering`.
      use_mini_batch: If true, `inputs` is a subset of all points.
      mini_batch_steps_per_iteration: As in `KMeansClustering`.
      random_seed: As in `KMeansClustering`.
      kmeans_plus_plus_num_retries: As in `KMeansClustering`.
      kmc2_chain_length: Not used.

    Raises:
      ValueError: The initialization or the metric does not exist.
    """

    def __init__(
        self,
        inputs: Any,
        num_clusters: int,
        initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE,
        use_mini_batch: bool = False,
        mini_batch_steps_per_iteration: int = 1,
        random_seed: int = 0,
        kmeans_plus_plus_num_retries: int = 2,
        kmc2_chain_length: int = 200,
    ) -> None:
        del kmc2_chain_length
        kmeans.check_arguments(initial_clusters, distance_metric)
        self._inputs = inputs if isinstance(inputs, list) else [inputs]
        self._arguments = (
            num_clusters,
            initial_clusters,
            distance_metric,
            use_mini_batch,
            mini_batch_steps_per_iteration,
            random_seed,
            kmeans_plus_plus_num_retries,
        )

    def training_graph(self) -> tuple[Any, ...]:
        """Builds the training graph in the default graph.

        Returns:
          A tuple of six elements. The first three are tuples with an element for each input.
          - Distances to all centers, of shape [points, clusters].
          - Index of the nearest center, of shape [points].
          - Distance to the nearest center, of shape [points].
          - A bool variable that is true once all centers are chosen.
          - The operation that chooses some of the centers.
          - The operation that moves the centers.
        """
        graph = clustering.Clustering(tf.concat(self._inputs, 0), *self._arguments)
        assignment = graph.infer()
        sizes = [tf.shape(points)[0] for points in self._inputs]
        parts = [tuple(tf.split(tensor, sizes, num=len(sizes))) for tensor in assignment]
        begin = graph.begin_step()
        with tf.control_dependencies([] if begin is None else [begin]):
            train_op = graph.train(assignment.indices)
        all_scores, indices, scores = parts
        return all_scores, indices, scores, graph.initialized, graph.initialize(), train_op


__getattr__ = _missing.attribute_of("factorization")

__all__ = [
    "COSINE_DISTANCE",
    "KMEANS_PLUS_PLUS_INIT",
    "KMeans",
    "KMeansClustering",
    "RANDOM_INIT",
    "SQUARED_EUCLIDEAN_DISTANCE",
]
