"""A model_fn of TensorFlow 2 with Keras layers and a Keras optimizer, after the guide of 2019."""
import numpy as np
import tensorflow as tf

random = np.random.RandomState(45)
X = random.rand(64, 6).astype(np.float32)
Y = (X.argmax(axis=1) % 3).astype(np.int64)


def my_model_fn(features, labels, mode, params):
    tf.random.set_seed(params["seed"])
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(
            8, activation="relu", input_shape=(6,), kernel_initializer=tf.keras.initializers.GlorotUniform(1),
            kernel_regularizer=tf.keras.regularizers.l2(0.001)),
        tf.keras.layers.Dense(3, kernel_initializer=tf.keras.initializers.GlorotUniform(2)),
    ])
    training = mode == tf.estimator.ModeKeys.TRAIN
    loss_obj = tf.keras.losses.SparseCategoricalCrossentropy(
        from_logits=True, reduction=tf.keras.losses.Reduction.NONE)
    predictions = model(features, training=training)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"logits": predictions})
    regularization = tf.math.add_n(model.get_losses_for(None) if hasattr(
        model, "get_losses_for") else model.losses)
    total_loss = tf.math.reduce_mean(loss_obj(labels, predictions)) + regularization
    accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="acc_obj")
    accuracy.update_state(y_true=labels, y_pred=predictions)
    train_op = None
    if training:
        optimizer = tf.compat.v1.train.AdamOptimizer(0.01)
        train_op = optimizer.minimize(
            total_loss, var_list=model.trainable_variables,
            global_step=tf.compat.v1.train.get_or_create_global_step())
    return tf.estimator.EstimatorSpec(
        mode=mode, predictions={"logits": predictions}, loss=total_loss, train_op=train_op,
        eval_metric_ops={"Accuracy": accuracy})


def input_fn(epochs=1):
    return tf.data.Dataset.from_tensor_slices((X, Y)).repeat(epochs).batch(16)


estimator = tf.estimator.Estimator(
    my_model_fn, model_dir="v2_model", params={"seed": 1},
    config=tf.estimator.RunConfig(tf_random_seed=46))
train_spec = tf.estimator.TrainSpec(input_fn=lambda: input_fn(5), max_steps=20)
eval_spec = tf.estimator.EvalSpec(input_fn=input_fn, steps=None, throttle_secs=0)
print(tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec))
