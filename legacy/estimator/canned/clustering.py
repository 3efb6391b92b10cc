"""The graph of k-means: creates, chooses and moves the cluster centers.

>>> import tensorflow as tf
>>> with tf.Graph().as_default():
...     points = tf.constant([[0.0], [1.0], [9.0]])
...     graph = Clustering(points, 2, initial_clusters=[[0.0], [8.0]])
...     with tf.compat.v1.Session() as session:
...         session.run(tf.compat.v1.global_variables_initializer())
...         session.run(graph.initialize())
...         session.run(graph.train(graph.infer().indices))
...         session.run(graph.centers).round(3).tolist()
[[0.5], [9.0]]

The class replaces one of tf.contrib.factorization. The Estimator in `canned.kmeans` is built on it.
Its variables keep the original names: clusters, initialized, and those for mini batches.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

tf1 = tf.compat.v1

SQUARED_EUCLIDEAN_DISTANCE = "squared_euclidean"
COSINE_DISTANCE = "cosine"

RANDOM_INIT = "random"
KMEANS_PLUS_PLUS_INIT = "kmeans_plus_plus"

CLUSTERS_VAR_NAME = "clusters"

# Avoids a division by zero for clusters without points.
_EPSILON = 1e-6


class Inference(NamedTuple):
    """Nearest center of each point.

    Attributes:
      all_distances: Distances to all centers, [points, clusters].
      indices: Index of the nearest center, [points].
      distances: Distance to the nearest center, [points].
    """

    all_distances: tf.Tensor
    indices: tf.Tensor
    distances: tf.Tensor


class Clustering:
    """Cluster centers in the default graph, and operations on a batch of points.

    Args:
      points: A float32 tensor, [points, dimensions].
      num_clusters: Number of clusters. Ignored if `initial_clusters` are centers.
      initial_clusters: Initial centers, [clusters, dimensions]. Or "random" or "kmeans_plus_plus",
        which choose among the points of the first batches. Or a function that takes a list with the
        points and the number of missing centers, and returns some centers.
      distance_metric: "squared_euclidean" or "cosine", which is 1 minus the cosine of the angle.
      use_mini_batch: If true, a batch moves the centers towards the means of its points. If false,
        it sets the centers to these means, so each batch must contain all points.
      mini_batch_steps_per_iteration: Number of mini batches that see the same centers. Their moves
        are applied together.
      seed: Any number makes random choices repeatable, as the seed of the graph does.
      num_retries: Number of candidates that "kmeans_plus_plus" draws for each center.
    """

    def __init__(
        self,
        points: tf.Tensor,
        num_clusters: int,
        initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE,
        use_mini_batch: bool = False,
        mini_batch_steps_per_iteration: int = 1,
        seed: int | None = 0,
        num_retries: int = 2,
    ) -> None:
        self._raw_points = points
        self._cosine = distance_metric == COSINE_DISTANCE
        self._points = tf.math.l2_normalize(points, axis=1) if self._cosine else points
        self._initial_clusters = initial_clusters
        self._num_clusters = tf.convert_to_tensor(num_clusters)
        if not isinstance(initial_clusters, str) and not callable(initial_clusters):
            self._initial_clusters = tf.convert_to_tensor(initial_clusters)
            self._num_clusters = tf.shape(self._initial_clusters)[0]
        self._use_mini_batch = use_mini_batch
        self._steps = int(mini_batch_steps_per_iteration)
        self._collects = use_mini_batch and self._steps > 1
        self._seed = tf1.get_seed(seed)[0]
        self._num_retries = num_retries
        self._create_variables()

    def _create_variables(self) -> None:
        # Without a static shape, because the number of dimensions depends on the points.
        empty = tf1.placeholder_with_default([], shape=None)
        self.centers = tf1.Variable(empty, name=CLUSTERS_VAR_NAME, validate_shape=False)
        self.initialized = tf1.Variable(False, dtype=tf.bool, name="initialized")
        self._new_centers = self.centers
        self._counts = None
        if self._collects:
            # Moves go to a second variable, which `begin_step` copies to the centers.
            self._new_centers = tf1.Variable(empty, name="clusters_updated", validate_shape=False)
            self._steps_left = tf1.Variable(self._steps, dtype=tf.int64, name="update_in_steps")
            self._counts = tf1.Variable(tf.zeros([self._num_clusters], tf.int64))
        elif self._use_mini_batch:
            # Each initial center counts as a point.
            self._counts = tf1.Variable(tf.ones([self._num_clusters], tf.int64))

    def infer(self) -> Inference:
        """Finds the nearest center of each point."""
        centers = self.centers.read_value()
        if self._cosine and self._use_mini_batch and not self._collects:
            centers = tf.math.l2_normalize(centers, axis=1)
        products = tf.matmul(self._points, centers, transpose_b=True)
        if self._cosine:
            all_distances = 1 - products
        else:
            all_distances = (
                tf.reduce_sum(tf.square(self._points), 1, keepdims=True)
                - 2 * products
                + tf.transpose(tf.reduce_sum(tf.square(centers), 1, keepdims=True))
            )
        indices, distances = tf.raw_ops.NearestNeighbors(points=self._points, centers=centers, k=1)
        if self._cosine:
            distances *= 0.5  # Half of the squared distance between unit vectors.
        return Inference(all_distances, tf.squeeze(indices, [-1]), tf.squeeze(distances, [-1]))

    def initialize(self) -> tf.Operation:
        """Returns the operation that chooses centers from the batch.

        Run it until `initialized` is true. With "random" or a function, a run may add only some of
        the centers.
        """
        num_selected = tf.shape(self.centers)[0]
        missing = self._num_clusters - num_selected

        def choose() -> tf.Tensor:
            with tf.control_dependencies([tf1.assert_positive(missing)]):
                still_missing = self._num_clusters - self._add_centers(num_selected, missing)
            return tf.cond(
                tf.equal(still_missing, 0),
                lambda: tf.identity(tf1.assign(self.initialized, True)),
                lambda: tf.constant(False),
            )

        def check() -> tf.Tensor:
            with tf.control_dependencies([tf1.assert_equal(self.initialized, True)]):
                return tf.constant(True)

        return tf.cond(tf.equal(missing, 0), check, choose).op

    def _add_centers(self, num_selected: tf.Tensor, missing: tf.Tensor) -> tf.Tensor:
        """Appends some centers and returns their number after that."""
        new = self._choose(missing)
        if self._cosine:
            new = tf.math.l2_normalize(new, axis=1)
        centers = tf.cond(
            tf.equal(num_selected, 0), lambda: new, lambda: tf.concat([self.centers, new], 0)
        )
        # The shape grows, because a run may add only some of the centers.
        assignment = tf1.assign(self.centers, centers, validate_shape=False)
        if self._collects:
            assignment = tf1.assign(self._new_centers, assignment, validate_shape=False)
        return tf.shape(assignment)[0]

    def _choose(self, missing: tf.Tensor) -> tf.Tensor:
        points, size = self._raw_points, tf.shape(self._raw_points)[0]
        if callable(self._initial_clusters):
            return self._initial_clusters([points], missing)
        if not isinstance(self._initial_clusters, str):
            with tf.control_dependencies([tf1.assert_equal(missing, self._num_clusters)]):
                return tf.identity(self._initial_clusters)
        if self._initial_clusters == RANDOM_INIT:
            return tf.cond(size <= missing, lambda: points, lambda: self._random(size, missing))
        enough = tf1.assert_greater_equal(
            size, missing, message="kmeans_plus_plus needs at least num_clusters points in a batch."
        )
        with tf.control_dependencies([enough]):
            return tf.raw_ops.KmeansPlusPlusInitialization(
                points=self._points,
                num_to_sample=tf.cast(missing, tf.int64),
                seed=self._seed or 0,
                num_retries_per_sample=self._num_retries,
            )

    def _random(self, size: tf.Tensor, missing: tf.Tensor) -> tf.Tensor:
        indices = tf.random.uniform(
            [missing], maxval=tf.cast(size, tf.int64), dtype=tf.int64, seed=self._seed
        )
        return tf.gather(self._raw_points, indices)

    def begin_step(self) -> tf.Tensor | None:
        """Returns an op to run before the inference of a training step, or None.

        The op applies the collected moves once every `mini_batch_steps_per_iteration` steps.
        """
        if not self._collects:
            return None

        def begin() -> tf.Tensor:
            centers = self._new_centers.read_value()
            steps = [
                tf1.assign(self._steps_left, self._steps - 1),
                tf1.assign(
                    self.centers, tf.math.l2_normalize(centers, 1) if self._cosine else centers
                ),
                tf1.assign(self._counts, tf.zeros_like(self._counts)),
            ]
            with tf.control_dependencies(steps):
                return tf.constant(self._steps - 1, tf.int64)

        def go_on() -> tf.Tensor:
            return tf.identity(tf1.assign_sub(self._steps_left, 1))

        return tf.cond(self._steps_left <= 0, begin, go_on)

    def train(self, indices: tf.Tensor) -> tf.Operation:
        """Returns the operation that moves the centers with the batch.

        Args:
          indices: Index of the nearest center of each point.
        """
        return self._move(indices) if self._use_mini_batch else self._set_to_means(indices)

    def _set_to_means(self, indices: tf.Tensor) -> tf.Operation:
        count, ones = self._num_clusters, tf.ones([tf.shape(self._points)[0], 1])
        sums = tf.math.unsorted_segment_sum(self._points, indices, count)
        means = sums / (tf.math.unsorted_segment_sum(ones, indices, count) + _EPSILON)
        if self._cosine:
            means = tf.math.l2_normalize(means, axis=1)
        return tf1.assign(self.centers, means).op

    def _move(self, indices: tf.Tensor) -> tf.Operation:
        """Updates centers as running means of the points that are counted for them."""
        ids, positions = tf.unique(indices)
        size = tf.size(ids)
        new_counts = tf.math.unsorted_segment_sum(
            tf.ones_like(positions, self._counts.dtype), positions, size
        )
        counts = tf.expand_dims(tf.cast(new_counts, self._points.dtype), 1)
        all_counts = tf.cast(
            tf.gather(self._counts.read_value(), ids) + new_counts, self._points.dtype
        )
        sums = tf.math.unsorted_segment_sum(self._points, positions, size)
        centers = tf.gather(self._new_centers.read_value(), ids)
        moves = (sums - counts * centers) / tf.expand_dims(all_counts, 1)
        with tf.control_dependencies([moves]):  # `moves` must read the counts before the update.
            count_op = tf1.scatter_add(self._counts, ids, new_counts)
        return tf.group(count_op, tf1.scatter_add(self._new_centers, ids, moves))
