"""Programs whose model_fns end with a head, for `model_fn_programs`."""

# Labels of another shape, weights, a sum of losses, batch normalization, and a train_op_fn.
HEAD_OF_CLASSES = """\
def model_fn(features, labels, mode, params):
    head = tf.contrib.estimator.multi_class_head(
        n_classes=params["n"], weight_column="w", loss_reduction=tf.losses.Reduction.SUM)
    net = tf.layers.dense(features["x"], 4, tf.nn.relu, kernel_initializer=start)
    net = tf.layers.batch_normalization(net, training=mode == tf.estimator.ModeKeys.TRAIN)
    logits = tf.layers.dense(net, head.logits_dimension, name="out", kernel_initializer=start)
    if labels is not None:
        labels = tf.reshape(labels - 1, [-1, 1])
    return head.create_estimator_spec(
        features, mode, logits, labels, train_op_fn=lambda loss: tf.train.AdagradOptimizer(
            params["rate"]).minimize(loss, global_step=tf.train.get_global_step()))

def input_fn():
    x = np.cos(np.arange(30.0)).reshape(10, 3).astype("float32")
    features = {"x": x, "w": np.arange(10) / 5.0}
    return tf.data.Dataset.from_tensor_slices((features, np.arange(10) % 3 + 1)).batch(4).repeat(4)

job = tf.estimator.Estimator(model_fn, "here", params={"n": 3, "rate": 0.05})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [p["probabilities"] for p in job.predict(input_fn)]
"""

# A head of the module, its own predictions, and clipped gradients in a train_op_fn.
HEAD_WITH_PREDICTIONS = """\
head = tf.contrib.estimator.regression_head(label_dimension=2)

def model_fn(features, labels, mode):
    net = tf.layers.dense(features, 4, tf.nn.tanh, kernel_initializer=start)
    logits = tf.layers.dense(net, head.logits_dimension, kernel_initializer=start)
    scaled = logits * 2.0
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"scaled": scaled, "raw": logits})

    def train_op_fn(loss):
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        gradients, variables = zip(*optimizer.compute_gradients(loss))
        gradients, _ = tf.clip_by_global_norm(gradients, 0.01)
        return optimizer.apply_gradients(
            zip(gradients, variables), global_step=tf.train.get_global_step())

    return head.create_estimator_spec(
        features={"x": features}, mode=mode, logits=logits, labels=labels, train_op_fn=train_op_fn)

def input_fn():
    x = np.cos(np.arange(30.0)).reshape(10, 3).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, x[:, :2] + 0.5)).batch(4).repeat(4)

job = tf.estimator.Estimator(model_fn, "here")
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = list(job.predict(input_fn))
"""

# Several classes at once, and an optimizer for the head, which clips gradients.
HEAD_OF_LABELS = """\
def model_fn(features, labels, mode):
    head = tf.contrib.estimator.multi_label_head(n_classes=3, name="tags")
    logits = tf.layers.dense(
        features["x"], head.logits_dimension, kernel_initializer=start,
        kernel_regularizer=tf.nn.l2_loss)  # The head does not know it.
    spec = head.create_estimator_spec(
        features=features, mode=mode, logits=logits, labels=labels,
        optimizer=tf.contrib.estimator.clip_gradients_by_norm(
            tf.train.GradientDescentOptimizer(learning_rate=0.5), 0.1))
    return spec

def input_fn():
    x = np.cos(np.arange(30.0)).reshape(10, 3).astype("float32")
    return tf.data.Dataset.from_tensor_slices(({"x": x}, (x > 0.2).astype("int64"))).batch(4)

job = tf.estimator.Estimator(model_fn, "here")
job.train(input_fn, steps=3)
x = job.evaluate(input_fn)
y = list(job.predict(input_fn))
"""

# A head of TensorFlow 2 with a Keras optimizer, which counts the steps.
HEAD_OF_TWO_CLASSES = """\
def model_fn(features, labels, mode):
    head = tf.estimator.BinaryClassHead(weight_column="w", name="clicks")
    dense = tf.keras.layers.Dense(head.logits_dimension, kernel_initializer=start)
    logits = dense(features["x"])
    optimizer = tf.keras.optimizers.legacy.Adagrad(learning_rate=0.1)
    optimizer.iterations = tf.train.get_or_create_global_step()
    return head.create_estimator_spec(
        features=features, mode=mode, logits=logits, labels=labels, optimizer=optimizer,
        trainable_variables=tf.trainable_variables())

def input_fn():
    x = np.cos(np.arange(30.0)).reshape(10, 3).astype("float32")
    features = {"x": x, "w": np.arange(10) / 5.0}
    return tf.data.Dataset.from_tensor_slices((features, np.arange(10) % 2)).batch(4).repeat(2)

job = tf.estimator.Estimator(model_fn, "here")
job.train(input_fn, steps=4)
x = job.evaluate(input_fn)
y = list(job.predict(input_fn))
"""

ALL = {name.lower(): text for name, text in globals().copy().items() if name.startswith("HEAD_")}
