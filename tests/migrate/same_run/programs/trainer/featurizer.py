import tensorflow as tf

SOURCE = tf.feature_column.categorical_column_with_vocabulary_list("source", ["web", "app", "shop"])
AMOUNT = tf.feature_column.numeric_column("amount")


def get_deep_and_wide_columns(embedding_size):
    deep = [
        AMOUNT,
        tf.feature_column.embedding_column(SOURCE, dimension=embedding_size),
    ]
    wide = [SOURCE, tf.feature_column.bucketized_column(AMOUNT, [0.25, 0.5, 0.75])]
    return deep, wide
