"""The wide and deep model as a canned estimator. Read it next to `modern/jobs/wide_deep.py`.

python -m legacy.train --flagfile=legacy/jobs/wide_deep.flags
"""

from __future__ import annotations

from typing import Any

import tensorflow.compat.v1 as tf

from legacy.compat.v1 import estimator as tf_estimator

# Input functions carry over unchanged, in both directions.
from modern.jobs.wide_deep import (  # noqa: F401
    AGE_BOUNDARIES,
    BATCH_SIZE,
    CROSS_BUCKETS,
    CROSSES,
    DATASETS,
    EMBEDDING_SIZES,
    HASH_BUCKETS,
    HIDDEN_UNITS,
    LEARNING_RATE,
    SCALES,
    VOCABULARIES,
    eval_input_fn,
    load_data,
    train_input_fn,
)

# The smallest shard of a table on a parameter server, as in TensorFlow's current guide.
MIN_SHARD_BYTES = 256 << 10


def build_ids() -> dict[str, Any]:
    """Returns columns of ids, by name."""
    column = tf.feature_column
    ids = {
        "age_bucketized": column.bucketized_column(
            column.numeric_column("age"), list(AGE_BOUNDARIES)
        )
    }
    for name, words in VOCABULARIES.items():
        ids[name] = column.categorical_column_with_vocabulary_list(name, words, default_value=0)
    for name, buckets in HASH_BUCKETS.items():
        ids[name] = column.categorical_column_with_hash_bucket(name, buckets)
    crossed = {"age_bucketized": ids["age_bucketized"]}
    for names in CROSSES:
        keys = [crossed.get(name, name) for name in names]
        ids["_X_".join(names)] = column.crossed_column(keys, CROSS_BUCKETS)
    return ids


def build_deep(ids: dict[str, Any]) -> list[Any]:
    """Returns columns of scaled numbers, one-hot vocabularies and embeddings."""
    column = tf.feature_column
    numbers = [
        column.numeric_column(name, normalizer_fn=_scaled(mean, deviation))
        for name, (mean, deviation) in SCALES.items()
    ]
    one_hot = [column.indicator_column(ids[name]) for name in VOCABULARIES]
    tables = [column.embedding_column(ids[name], size) for name, size in EMBEDDING_SIZES.items()]
    return [*numbers, *one_hot, *tables]


def _scaled(mean: float, deviation: float) -> Any:
    return lambda x: (x - mean) / deviation


def make_estimator(config: Any, params: dict[str, Any]) -> tf_estimator.Estimator:
    """Returns an estimator that trains the wide part with Ftrl and the deep part with Adagrad.

    `params` has "learning_rate".
    """
    ids = build_ids()
    shards = max(1, config.num_ps_replicas)
    return tf_estimator.DNNLinearCombinedClassifier(
        linear_feature_columns=list(ids.values()),
        linear_optimizer=tf.train.FtrlOptimizer(params["learning_rate"]),
        dnn_feature_columns=build_deep(ids),
        dnn_hidden_units=HIDDEN_UNITS,
        dnn_optimizer=tf.train.AdagradOptimizer(params["learning_rate"]),
        input_layer_partitioner=tf.min_max_variable_partitioner(
            shards, min_slice_size=MIN_SHARD_BYTES
        ),
        loss_reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE,
        config=config,
    )


def model_fn(
    features: dict[str, tf.Tensor],
    labels: tf.Tensor | None,
    mode: str,
    params: dict[str, Any],
    config: Any,
) -> tf_estimator.EstimatorSpec:
    """Returns the canned estimator's spec, so that this job trains like the others."""
    return make_estimator(config, params).model_fn(features, labels, mode, config)


def serving_input_receiver_fn() -> tf_estimator.export.ServingInputReceiver:
    """Returns the input of the exported model: serialized tf.Examples with the raw columns."""
    ids = build_ids()
    spec = tf.feature_column.make_parse_example_spec([*ids.values(), *build_deep(ids)])
    return tf_estimator.export.build_parsing_serving_input_receiver_fn(spec)()


def _weight_names() -> dict[str, str]:
    wide = ["age_bucketized", *VOCABULARIES, *HASH_BUCKETS, *map("_X_".join, CROSSES)]
    names = {f"linear/linear_model/{n}/weights": f"wide/{n}/embeddings" for n in wide}
    names["linear/linear_model/bias_weights"] = "wide/bias"
    inputs = "dnn/input_from_feature_columns/input_layer"
    for name in EMBEDDING_SIZES:
        names[f"{inputs}/{name}_embedding/embedding_weights"] = f"deep/{name}_embedding/embeddings"
    layers = {f"hiddenlayer_{i}": f"hidden_{i}" for i in range(len(HIDDEN_UNITS))}
    for layer, modern in {**layers, "logits": "logits"}.items():
        names |= {f"dnn/{layer}/{part}": f"deep/{modern}/{part}" for part in ("kernel", "bias")}
    return names


# Name in `modern/jobs/wide_deep.py` of each variable here.
WEIGHT_NAMES = _weight_names()
