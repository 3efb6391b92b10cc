"""Names of tf.compat.v1.estimator.tpu.experimental.

spec = EmbeddingConfigSpec(feature_columns=columns, optimization_parameters=parameters)
"""

from legacy.estimator.tpu.embedding import EmbeddingConfigSpec

__all__ = ["EmbeddingConfigSpec"]
