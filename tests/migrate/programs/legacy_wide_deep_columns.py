"""Wide and deep over feature columns: Ftrl for the linear part, Adagrad for the deep one."""

import numpy as np
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator

params = {"linear_learning_rate": 0.2, "dnn_learning_rate": 0.1, "hidden_units": [16, 8]}

EDUCATION = ["Bachelors", "HS-grad", "Masters", "Doctorate"]
OCCUPATIONS = ["Sales", "Tech-support", "Craft-repair", "Exec-managerial", "Farming", "Other"]
AGE_BOUNDARIES = [20, 30, 40, 50, 60]
BATCH_SIZE = 32


def make_data(count, seed):
    random = np.random.RandomState(seed)
    features = {
        "age": random.uniform(16, 80, count).astype(np.float32),
        "hours_per_week": random.normal(40, 12, count).astype(np.float32),
        "education": random.choice(EDUCATION, count),
        "occupation": random.choice(OCCUPATIONS, count),
    }
    score = (features["age"] - 45) / 20 + (features["hours_per_week"] - 40) / 12
    score += np.where(features["education"] == "Doctorate", 2.0, -0.5)
    score += np.where(features["occupation"] == "Farming", -2.0, 0.3)
    return features, (score > 0).astype(np.int64)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data(256, seed=1)).batch(BATCH_SIZE).repeat()


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data(72, seed=2)).batch(BATCH_SIZE)


def build_columns():
    """Returns the columns of the linear and of the deep part."""
    column = tf.feature_column
    age = column.bucketized_column(column.numeric_column("age"), AGE_BOUNDARIES)
    hours = column.numeric_column("hours_per_week", normalizer_fn=lambda x: (x - 40.0) / 12.0)
    education = column.categorical_column_with_vocabulary_list("education", EDUCATION)
    occupation = column.categorical_column_with_hash_bucket("occupation", hash_bucket_size=40)
    wide_columns = [
        age,
        education,
        occupation,
        column.crossed_column(["education", "occupation"], hash_bucket_size=100),
        column.crossed_column([age, "education"], hash_bucket_size=60),
    ]
    deep_columns = [
        hours,
        column.indicator_column(age),
        column.indicator_column(education),
        column.embedding_column(occupation, dimension=4),
    ]
    return wide_columns, deep_columns


def model_fn(features, labels, mode, params):
    wide_columns, deep_columns = build_columns()
    with tf.variable_scope("linear"):
        linear_logits = tf.feature_column.linear_model(features, wide_columns)
    with tf.variable_scope("dnn"):
        net = tf.feature_column.input_layer(features, deep_columns)
        for i, units in enumerate(params["hidden_units"]):
            net = tf.layers.dense(net, units, activation=tf.nn.relu, name="hiddenlayer_" + str(i))
        dnn_logits = tf.layers.dense(net, 1, name="logits")
    logits = linear_logits + dnn_logits

    predictions = {"logits": logits, "probabilities": tf.sigmoid(logits)}
    if mode == tf_estimator.ModeKeys.PREDICT:
        return tf_estimator.EstimatorSpec(
            mode,
            predictions=predictions,
            export_outputs={"serving_default": tf_estimator.export.PredictOutput(predictions)},
        )

    labels = tf.reshape(tf.cast(labels, tf.float32), [-1, 1])
    loss = tf.losses.sigmoid_cross_entropy(labels, logits)
    if mode == tf_estimator.ModeKeys.EVAL:
        metrics = {
            "accuracy": tf.metrics.accuracy(labels, tf.cast(logits > 0, tf.float32)),
            "auc": tf.metrics.auc(labels, predictions["probabilities"]),
        }
        return tf_estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)

    linear_optimizer = tf.train.FtrlOptimizer(
        params["linear_learning_rate"], l1_regularization_strength=0.001
    )
    dnn_optimizer = tf.train.AdagradOptimizer(params["dnn_learning_rate"])
    train_ops = [
        linear_optimizer.minimize(
            loss, var_list=tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="linear")
        ),
        dnn_optimizer.minimize(
            loss, var_list=tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="dnn")
        ),
    ]
    with tf.control_dependencies(train_ops):
        train_op = tf.assign_add(tf.train.get_global_step(), 1).op
    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def serving_input_receiver_fn():
    wide_columns, deep_columns = build_columns()
    spec = tf.feature_column.make_parse_example_spec(wide_columns + deep_columns)
    return tf_estimator.export.build_parsing_serving_input_receiver_fn(spec)()
