import tensorflow as tf
x = callable(tf.feature_column.shared_embeddings)
