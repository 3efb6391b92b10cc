"""tf.compat.v1.estimator.experimental: the v2 API's names that v1 shares, and its own.

    from legacy.compat.v1 import estimator

    clusters = estimator.experimental.KMeans(num_clusters=3)
"""

__all__: list[str] = []
