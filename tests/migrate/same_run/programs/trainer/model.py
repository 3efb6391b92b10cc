import tensorflow as tf

from trainer import featurizer


def build_estimator(config, embedding_size=2, hidden_units=None):
    deep, wide = featurizer.get_deep_and_wide_columns(embedding_size)
    return tf.estimator.DNNLinearCombinedClassifier(
        config=config,
        linear_feature_columns=wide,
        dnn_feature_columns=deep,
        dnn_hidden_units=hidden_units or [8, 4],
        dnn_dropout=None)
