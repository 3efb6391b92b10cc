"""Programs of TensorFlow 1 whose model_fns become Keras models. They compute x and y."""

from tests.migrate.rewrite import (
    head_programs,
    helper_programs,
    loop_programs,
    model_fn_shapes,
    scope_programs,
    variable_programs,
)

HEAD = """\
import numpy as np
import tensorflow as tf

def start(shape, dtype=tf.float32, partition_info=None):
    size = int(np.prod(shape))
    return tf.cast(tf.reshape(tf.sin(tf.range(1.0, size + 1.0)), shape) * 0.3, dtype)

"""

# Layers in a loop, features that change, a decaying rate, and a second training from a checkpoint.
LAYERS_IN_A_LOOP = """\
BATCH = 4


def cnn_model_fn(features, labels, mode, params):
    '''Model function for CNN.'''
    # Input layer
    features["x"] = features["x"] * 2.0
    net = tf.reshape(features["x"], [-1, 8, 8, 1])
    init = start
    for filters in params["filters"]:  # two of them
        net = tf.layers.conv2d(inputs=net, filters=filters, kernel_size=[3, 3],
                               padding="same", activation=tf.nn.relu,
                               kernel_initializer=init)
        net = tf.layers.max_pooling2d(inputs=net, pool_size=[2, 2], strides=2)
    flat = tf.layers.flatten(net)
    dense = tf.layers.dense(flat, 6, activation=tf.nn.tanh, kernel_initializer=start)
    dense = tf.layers.batch_normalization(dense, training=mode == tf.estimator.ModeKeys.TRAIN)
    dropout = tf.layers.dropout(
        inputs=dense, rate=0.0, training=mode == tf.estimator.ModeKeys.TRAIN)
    # Logits layer
    logits = tf.layers.dense(inputs=dropout, units=3, name="logits", kernel_initializer=start,
                             kernel_regularizer=tf.contrib.layers.l2_regularizer(0.01),
                             activity_regularizer=lambda x: 0.1 * tf.nn.l2_loss(x))

    predictions = {
        # Generate predictions (for PREDICT and EVAL mode)
        "classes": tf.argmax(input=logits, axis=1),
        "probabilities": tf.nn.softmax(logits, name="softmax_tensor"),
        "second": features["time"] - 1.5e9,
    }
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode=mode, predictions=predictions)

    # Calculate Loss (for both TRAIN and EVAL modes)
    onehot = tf.one_hot(indices=tf.cast(labels, tf.int32), depth=3)
    loss = tf.losses.softmax_cross_entropy(onehot_labels=onehot, logits=logits)
    loss += tf.losses.get_regularization_loss()
    tf.summary.scalar("loss", loss)

    if mode == tf.estimator.ModeKeys.TRAIN:
        rate = tf.train.exponential_decay(params["rate"], tf.train.get_global_step(), 2, 0.9)
        optimizer = tf.train.GradientDescentOptimizer(learning_rate=rate)
        update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        with tf.control_dependencies(update_ops):
            train_op = optimizer.minimize(loss=loss, global_step=tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode=mode, loss=loss, train_op=train_op)

    # Add evaluation metrics (for EVAL mode)
    eval_metric_ops = {
        "accuracy": tf.metrics.accuracy(labels=labels, predictions=predictions["classes"]),
        "rmse": tf.metrics.root_mean_squared_error(onehot, predictions["probabilities"])}
    return tf.estimator.EstimatorSpec(mode=mode, loss=loss, eval_metric_ops=eval_metric_ops)


def input_fn():
    x = np.linspace(-1, 1, 10 * 64).reshape(10, 64).astype(np.float32)
    features = {"x": x, "time": 1.5e9 + np.arange(10.0)}
    return tf.data.Dataset.from_tensor_slices((features, np.arange(10) % 3)).repeat(3).batch(BATCH)


def main():
    config = tf.estimator.RunConfig(save_checkpoints_steps=2)
    classifier = tf.estimator.Estimator(
        model_fn=cnn_model_fn, model_dir="model", config=config,
        params={"filters": [2, 3], "rate": 0.01})
    classifier.train(input_fn, steps=3)
    classifier.train(input_fn=input_fn, max_steps=5)
    metrics = classifier.evaluate(input_fn=input_fn)
    found = list(classifier.predict(input_fn))
    return metrics, [[one["second"], *one["probabilities"]] for one in found]


x, y = main()
"""

# A network that is called twice and reuses its variables, as in many tutorials.
REUSED_LAYERS = """\
def conv_net(x_dict, n_classes, dropout, reuse, is_training):
    '''A net.'''
    with tf.variable_scope("ConvNet", reuse=reuse):
        x = x_dict["images"]
        x = tf.reshape(x, shape=[-1, 4, 4, 1])
        conv1 = tf.layers.conv2d(x, 3, 2, activation=tf.nn.relu, kernel_initializer=start)
        conv1 = tf.layers.max_pooling2d(conv1, 2, 2)
        fc1 = tf.contrib.layers.flatten(conv1)
        fc1 = tf.layers.dense(fc1, 6, kernel_initializer=start)
        fc1 = tf.layers.dropout(fc1, rate=dropout, training=is_training)
        out = tf.layers.dense(fc1, n_classes, kernel_initializer=start)
    return out

def model_fn(features, labels, mode):
    logits_train = conv_net(features, 3, 0.0, reuse=False, is_training=True)
    logits_test = conv_net(features, 3, 0.0, reuse=True, is_training=False)
    pred_classes = tf.argmax(logits_test, axis=1)
    pred_probas = tf.nn.softmax(logits_test)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions=pred_classes)
    loss_op = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
        logits=logits_train, labels=tf.cast(labels, dtype=tf.int32)))
    optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.1)
    train_op = optimizer.minimize(loss_op, global_step=tf.train.get_global_step())
    acc_op = tf.metrics.accuracy(labels=labels, predictions=pred_classes)
    estim_specs = tf.estimator.EstimatorSpec(
        mode=mode, predictions=pred_classes, loss=loss_op, train_op=train_op,
        eval_metric_ops={"accuracy": acc_op})
    return estim_specs

def input_fn():
    images = np.cos(np.arange(160.0)).reshape(10, 16).astype("float32")
    data = tf.data.Dataset.from_tensor_slices(({"images": images}, np.arange(10) % 3))
    return data.batch(4).repeat(4)

model = tf.estimator.Estimator(model_fn)
model.train(input_fn, steps=6)
x = model.evaluate(input_fn)
y = list(model.predict(input_fn))
"""

# Nested functions with layers in a loop, variables, clipping, updates, and an export.
NESTED_LAYERS = """\
UNITS = [5, 4]

def body(inputs, training):
    net = inputs
    for i, units in enumerate(UNITS):
        net = block(net, units, "block_%d" % i, training)
    return net

def block(net, units, name, training):
    with tf.variable_scope(name):
        net = tf.layers.dense(net, units, use_bias=False, kernel_initializer=start)
        net = tf.layers.batch_normalization(net, training=training, momentum=0.8)
        if training:
            net = net * 1.0
        return tf.nn.tanh(net)

def model_fn(features, labels, mode, params):
    is_training = (mode == tf.estimator.ModeKeys.TRAIN)
    table = tf.get_variable("table", [7, 3], initializer=start)
    embedded = tf.reduce_sum(tf.nn.embedding_lookup(table, features["ids"]), axis=1)
    hidden = body(tf.concat([embedded, features["x"]], 1), is_training)
    if is_training:
        hidden = tf.nn.dropout(hidden, keep_prob=1.0)
    with tf.variable_scope("logits", reuse=tf.AUTO_REUSE):
        w = tf.get_variable(
            "w", shape=[4, 1], initializer=start,
            regularizer=tf.contrib.layers.l2_regularizer(0.1))
    logits = tf.squeeze(tf.matmul(hidden, w), 1)
    prob = tf.sigmoid(logits)
    predictions = {"prob": prob, "logits": logits}
    export_outputs = {"serving_default": tf.estimator.export.PredictOutput({"prob": prob})}
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(
            mode, predictions=predictions, export_outputs=export_outputs)
    labels = tf.to_float(labels)
    cross = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
    penalty = tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
    loss = tf.reduce_mean(cross) + penalty
    eval_metric_ops = None
    if mode == tf.estimator.ModeKeys.EVAL:
        metrics = {
            "auc": tf.metrics.auc(labels, prob),
            "mse": tf.metrics.mean_squared_error(labels, prob),
            "precision": tf.metrics.precision(labels, prob > 0.5),
            "mean_prob": tf.metrics.mean(prob)}
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    lr = tf.train.polynomial_decay(params["lr"], tf.train.get_or_create_global_step(), 10, 0.01)
    opt = tf.train.AdagradOptimizer(lr)
    grads, tvars = zip(*opt.compute_gradients(loss))
    grads, _ = tf.clip_by_global_norm(grads, 0.1)
    apply = opt.apply_gradients(zip(grads, tvars), global_step=tf.train.get_global_step())
    update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    train_op = tf.group(apply, *update_ops)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn(params):
    x = np.cos(np.arange(30.0)).reshape(10, 3).astype("float32")
    ids = np.arange(20).reshape(10, 2) % 7
    data = tf.data.Dataset.from_tensor_slices(({"ids": ids, "x": x}, np.arange(10) % 2))
    return data.repeat(4).batch(params["batch"])

def main():
    params = {"lr": 0.3, "batch": 4}
    job = tf.estimator.Estimator(model_fn=model_fn, model_dir="m", params=params)
    spec = tf.estimator.TrainSpec(input_fn=lambda: input_fn(params), max_steps=7)
    evals = tf.estimator.EvalSpec(input_fn=lambda: input_fn(params), steps=None)
    tf.estimator.train_and_evaluate(job, spec, evals)
    predictions = job.predict(lambda: input_fn(params))
    return job.evaluate(lambda: input_fn(params)), [p["prob"] for p in predictions]

x, y = main()
"""

# tf.contrib.layers, a single EstimatorSpec for all modes, and optimize_loss.
CONTRIB_LAYERS = """\
def model_fn(features, labels, mode):
    layers = tf.contrib.layers
    net = tf.reshape(features, [-1, 4, 4, 1])
    net = layers.conv2d(net, 3, [3, 3], weights_initializer=start, scope="conv1")
    net = layers.max_pool2d(net, 2)
    net = layers.flatten(net)
    net = layers.fully_connected(net, 5, activation_fn=tf.nn.tanh, weights_initializer=start,
                                 weights_regularizer=layers.l2_regularizer(0.01))
    net = layers.dropout(net, keep_prob=1.0, is_training=mode == tf.contrib.learn.ModeKeys.TRAIN)
    out = layers.linear(net, 1, weights_initializer=start)[:, 0]
    loss = train_op = None
    metrics = {}
    if mode != tf.contrib.learn.ModeKeys.INFER:
        loss = tf.losses.huber_loss(labels, out)
        loss = loss + tf.losses.get_regularization_loss()
        metrics = {"mae": tf.metrics.mean_absolute_error(labels, out)}
    if mode == tf.contrib.learn.ModeKeys.TRAIN:
        train_op = layers.optimize_loss(
            loss, tf.contrib.framework.get_global_step(), learning_rate=0.05, optimizer="Momentum",
            clip_gradients=0.5)
    return tf.estimator.EstimatorSpec(
        mode=mode, predictions={"out": out}, loss=loss, train_op=train_op, eval_metric_ops=metrics)

def input_fn():
    images = np.cos(np.arange(160.0)).reshape(10, 16).astype("float32")
    labels = np.sin(np.arange(10.0)).astype("float32")
    return tf.data.Dataset.from_tensor_slices((images, labels)).batch(4).repeat(4)

job = tf.estimator.Estimator(model_fn, "here")
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [p["out"] for p in job.predict(input_fn)]
"""

# A Keras model that each mode calls separately, as in TensorFlow's official models.
KERAS_LAYERS = """\
def create_model(units):
    keras = tf.keras
    return keras.Sequential([
        keras.layers.Dense(units, activation="tanh", kernel_initializer=start, input_shape=(3,)),
        keras.layers.Dense(2, kernel_initializer=start)])

def model_fn(features, labels, mode, params):
    model = create_model(params["units"])
    image = features
    if isinstance(image, dict):
        image = features["image"]
    if mode == tf.estimator.ModeKeys.PREDICT:
        logits = model(image, training=False)
        predictions = {"classes": tf.argmax(logits, axis=1), "probabilities": tf.nn.softmax(logits)}
        return tf.estimator.EstimatorSpec(
            mode=tf.estimator.ModeKeys.PREDICT, predictions=predictions,
            export_outputs={"classify": tf.estimator.export.PredictOutput(predictions)})
    if mode == tf.estimator.ModeKeys.TRAIN:
        optimizer = tf.train.AdamOptimizer(learning_rate=1e-2)
        logits = model(image, training=True)
        loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
        accuracy = tf.metrics.accuracy(labels=labels, predictions=tf.argmax(logits, axis=1))
        tf.identity(loss, "cross_entropy")
        tf.summary.scalar("train_accuracy", accuracy[1])
        return tf.estimator.EstimatorSpec(
            mode=tf.estimator.ModeKeys.TRAIN, loss=loss,
            train_op=optimizer.minimize(loss, tf.train.get_or_create_global_step()))
    if mode == tf.estimator.ModeKeys.EVAL:
        logits = model(image, training=False)
        loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
        return tf.estimator.EstimatorSpec(
            mode=tf.estimator.ModeKeys.EVAL, loss=loss,
            eval_metric_ops={
                "accuracy": tf.metrics.accuracy(
                    labels=labels, predictions=tf.argmax(logits, axis=1)),
                "cut": tf.metrics.accuracy(labels, 3.0 * tf.nn.softmax(logits)[:, 1])})

def input_fn():
    x = np.cos(np.arange(30.0)).reshape(10, 3).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, np.arange(10) % 2)).batch(4).repeat(4)

job = tf.estimator.Estimator(model_fn, "here", params={"units": 4})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [p["probabilities"] for p in job.predict(input_fn)]
"""

# Two Estimators of one model_fn, each in its own function, and a tower that is used twice.
TWO_ESTIMATORS = """\
def network(x, units, name):
    with tf.variable_scope("tower", reuse=tf.AUTO_REUSE):
        return tf.identity(tf.layers.dense(x, units, kernel_initializer=start), name=name)

def model_fn(features, labels, mode, params):
    r'''A "tower", \\d.'''
    hidden = tf.layers.dense(features, 3, tf.nn.relu, kernel_initializer=start)
    outputs = []
    for sign in [1.0, -0.5]:
        outputs.append(network(hidden * sign, 1, "out"))
    y_pred = tf.concat(outputs, 1)
    x = y_pred[:, 0] * (1.0 + tf.sigmoid(y_pred[:, 1]))
    out = x + 0.5
    if mode == "infer":
        return tf.estimator.EstimatorSpec(mode, predictions={"o": out})
    loss = tf.losses.mean_squared_error(labels, out)
    loss += 0.1 * tf.reduce_mean(tf.square(x)) + 0.1 * tf.reduce_mean(y_pred)
    optimizer = tf.train.MomentumOptimizer(params.rate, 0.9)
    train_op = optimizer.minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.cos(np.arange(30.0)).reshape(10, 3).astype("float32")
    labels = np.arange(10.0).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, labels)).batch(4).repeat(4)

hparams = tf.contrib.training.HParams(rate=0.01)

def train():
    job = tf.estimator.Estimator(model_fn, "here", params=hparams)
    job.train(input_fn, steps=6)

def evaluate():
    job = tf.estimator.Estimator(model_fn, "here", params=hparams)
    return job.evaluate(input_fn), [p["o"] for p in job.predict(input_fn)]

train()
x, y = evaluate()
"""

# Embedded IDs, a data format that is known only at run time, and a function with summaries only.
EMBEDDED_IDS = """\
def show(features, name):
    '''Two summaries.'''
    with tf.variable_scope("shown"):
        long = tf.reshape(features, [-1])
        tf.summary.histogram(name, long)

def model_fn(features, labels, mode, params):
    show(features, "ids")
    net = tf.contrib.layers.embed_sequence(
        features, vocab_size=9, embed_dim=params["size"], initializer=start)
    more = tf.contrib.layers.embed_sequence(ids=features, vocab_size=9, embed_dim=4, scope="more",
                                            initializer=start)
    net = tf.concat([net, more], axis=2)
    net = tf.layers.max_pooling1d(net, 2, 1, data_format=params["format"])
    net = tf.layers.conv1d(net, 3, 2, padding="same", data_format=params["format"],
                           kernel_initializer=start)
    words = tf.contrib.layers.bow_encoder(features, 9, 3, initializer=start)
    all_words = tf.contrib.layers.bow_encoder(
        features, vocab_size=9, embed_dim=3, sparse_lookup=False, initializer=start, scope="all")
    out = tf.reduce_max(net, axis=1) + words - 0.5 * all_words
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"out": out})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, out)
    train_op = tf.train.AdagradOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    accuracy, update = tf.metrics.accuracy(labels, tf.argmax(out, 1))
    metrics = {"accuracy": (accuracy, update)}
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)

def input_fn():
    ids = np.arange(60).reshape(12, 5) * 7 % 9
    return tf.data.Dataset.from_tensor_slices((ids, np.arange(12) % 3)).repeat(2).batch(4)

job = tf.estimator.Estimator(model_fn, params={"size": 6, "format": "channels_last"})
job.train(input_fn)
x = job.evaluate(input_fn)
y = [p["out"].tolist() for p in job.predict(input_fn)]
"""

# Conditional expressions on the mode, no evaluation, and a loss under a strategy.
TOLD_BY_MODE = """\
def model_fn(features, labels, mode):
    trains = True if mode == tf.estimator.ModeKeys.TRAIN else False
    net = tf.layers.dense(features, 4, activation=tf.nn.tanh, kernel_initializer=start)
    net = tf.layers.batch_normalization(net, training=trains, momentum=0.5)
    net = tf.layers.batch_normalization(
        net, training=False if mode != tf.estimator.ModeKeys.TRAIN else True, momentum=0.6)
    out = tf.layers.dense(net, 2, kernel_initializer=start)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode=mode, predictions=out * 2.0)
    loss = tf.losses.absolute_difference(labels=labels, predictions=out)
    if mode == tf.estimator.ModeKeys.TRAIN:
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            train_op = tf.train.AdagradOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode=mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(30.0)).reshape(10, 3).astype("float32")
    labels = np.cos(np.arange(20.0)).reshape(10, 2).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, labels)).repeat(3).batch(4)

strategy = tf.contrib.distribute.OneDeviceStrategy("/cpu:0")
job = tf.estimator.Estimator(model_fn, config=tf.estimator.RunConfig(train_distribute=strategy))
job.train(input_fn)
x = [row.tolist() for row in job.predict(input_fn)]
job.train(input_fn, steps=2)
y = [row.tolist() for row in job.predict(input_fn)]
"""

# Nothing runs the updates of its batch normalization.
IDLE_AVERAGES = TOLD_BY_MODE.replace(
    "with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n            ", ""
)

# UPDATE_OPS do not have the updates of Keras' layers.
IDLE_KERAS_LAYER = TOLD_BY_MODE.replace(
    "tf.layers.batch_normalization(net, training=trains, momentum=0.5)",
    "tf.keras.layers.BatchNormalization(momentum=0.5, name='own')(net, training=trains)",
)

# Keras layers that were never told to train, and a model_fn with a second name.
NEVER_TOLD = """\
def create_model():
    return tf.keras.Sequential([tf.keras.layers.Dropout(0.9),
                                tf.keras.layers.Dense(2, kernel_initializer=start)])

def model_fn(features, labels, mode):
    tower = create_model()
    net = tf.keras.layers.Dense(4, activation="tanh", kernel_initializer=start)(features)
    net = tf.keras.layers.Dropout(rate=0.9)(net)
    out = tower(net)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode=mode, predictions=out)
    loss = tf.losses.mean_squared_error(labels, out)
    train_op = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode=mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(30.0)).reshape(10, 3).astype("float32")
    labels = np.cos(np.arange(20.0)).reshape(10, 2).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, labels)).repeat(3).batch(4)

model_function = model_fn
job = tf.estimator.Estimator(model_fn=model_function)
job.train(input_fn)
x = job.evaluate(input_fn)
y = [row.tolist() for row in job.predict(input_fn)]
"""

# Cells that are wrapped and stacked, both directions, lengths, and a function with cells.
RECURRENT = """\
def reader(x, lengths, units):
    with tf.variable_scope("reader"):
        outputs, states = tf.nn.bidirectional_dynamic_rnn(
            tf.nn.rnn_cell.GRUCell(units, kernel_initializer=start),
            tf.nn.rnn_cell.GRUCell(units, kernel_initializer=start), x,
            sequence_length=lengths, dtype=tf.float32)
    return tf.concat(outputs, 2) + tf.reduce_sum(states[1], axis=1)[:, None, None]

def model_fn(features, labels, mode, params):
    lengths = features["lengths"]
    with tf.variable_scope("tower"):
        cell = tf.nn.rnn_cell.LSTMCell(params["units"], forget_bias=0.5, initializer=start)
        cell = tf.contrib.rnn.DropoutWrapper(cell, output_keep_prob=1.0)
        cells = [cell] + [tf.nn.rnn_cell.LSTMCell(n, initializer=start, activation=tf.nn.relu)
                          for n in (3, 2)]
        cell = tf.contrib.rnn.MultiRNNCell(cells)
        outputs, state = tf.nn.dynamic_rnn(
            cell, features["x"], sequence_length=lengths, dtype=tf.float32)
    both = reader(features["x"], lengths, 2)
    up = tf.layers.conv2d_transpose(
        both[:, :, :, None], 2, (2, 3), strides=2, padding="same", kernel_initializer=start)
    both += tf.reduce_mean(up, axis=[1, 2, 3])[:, None, None]
    steps, last = tf.nn.dynamic_rnn(
        tf.nn.rnn_cell.LSTMCell(2, initializer=start), tf.transpose(both, [1, 0, 2]),
        dtype=tf.float32, time_major=True, scope="again")
    net = tf.concat([outputs[:, -1], state[0].c, state[-1].h, steps[-1], last.h], axis=1)
    out = tf.layers.dense(net, 2, kernel_initializer=start)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode=mode, predictions=out)
    loss = tf.losses.mean_squared_error(labels, out)
    train_op = tf.train.AdamOptimizer(0.01).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode=mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(120.0)).reshape(10, 4, 3).astype("float32")
    lengths = np.arange(10) % 4 + 1
    labels = np.cos(np.arange(20.0)).reshape(10, 2).astype("float32")
    data = tf.data.Dataset.from_tensor_slices(({"x": x, "lengths": lengths}, labels))
    return data.repeat(3).batch(4)

job = tf.estimator.Estimator(model_fn, params={"units": 4})
job.train(input_fn)
x = job.evaluate(input_fn)
y = [row.tolist() for row in job.predict(input_fn)]
"""

# A TPUEstimator without a TPU, functions that build its functions, and metrics of a function.
TPU_BUILDERS = """\
def network(ids, labels, size):
    table = tf.get_variable("table", [9, size], initializer=start)
    net = tf.reduce_mean(tf.nn.embedding_lookup(table, ids), axis=1)
    logits = tf.layers.dense(net, 3, name="logits", kernel_initializer=start)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.reduce_mean(losses), losses, logits

def network_builder(rate, use_tpu):
    def model_fn(features, labels, mode, params):
        loss, losses, logits = network(features["ids"], features["label"], params["size"])
        for variable in tf.trainable_variables():
            tf.logging.info("name = %s", variable.name)
        spec = None
        if mode == tf.estimator.ModeKeys.TRAIN:
            optimizer = tf.train.AdamOptimizer(rate)
            if use_tpu:
                optimizer = tf.contrib.tpu.CrossShardOptimizer(optimizer)
            train_op = optimizer.minimize(loss, tf.train.get_or_create_global_step())
            spec = tf.contrib.tpu.TPUEstimatorSpec(
                mode=mode, loss=loss, train_op=train_op, scaffold_fn=None)
        elif mode == tf.estimator.ModeKeys.EVAL:
            def metric_fn(losses, ids, logits):
                predictions = tf.argmax(logits, axis=-1, output_type=tf.int32)
                accuracy = tf.metrics.accuracy(labels=ids, predictions=predictions)
                return {"accuracy": accuracy, "mean": tf.metrics.mean(values=losses)}
            spec = tf.contrib.tpu.TPUEstimatorSpec(
                mode=mode, loss=loss, eval_metrics=(metric_fn, [losses, features["label"], logits]))
        else:
            spec = tf.contrib.tpu.TPUEstimatorSpec(mode=mode, predictions={"logits": logits})
        return spec
    return model_fn

def input_fn_builder(count, is_training):
    def input_fn(params):
        ids = np.arange(count * 5).reshape(count, 5) % 9
        data = {"ids": ids.astype("int32"), "label": (np.arange(count) % 3).astype("int32")}
        data = tf.data.Dataset.from_tensor_slices(data)
        data = data.repeat(2) if is_training else data
        return data.batch(params["batch_size"], drop_remainder=is_training)
    return input_fn

input_fn = input_fn_builder(20, True)
model_fn = network_builder(rate=0.05, use_tpu=False)
job = tf.contrib.tpu.TPUEstimator(
    model_fn=model_fn, use_tpu=False, config=tf.contrib.tpu.RunConfig(),
    train_batch_size=4, eval_batch_size=3, predict_batch_size=5, params={"size": 4})
job.train(input_fn, max_steps=6)
x = job.evaluate(input_fn_builder(7, False))
y = [row["logits"].tolist() for row in job.predict(input_fn_builder(6, False))]
"""

ALL = {
    name.lower(): HEAD + text
    for name, text in globals().copy().items()
    if name.isupper() and name not in ("HEAD", "ALL")
}
ALL |= {name: HEAD + text for name, text in head_programs.ALL.items()}
ALL |= {name: HEAD + text for name, text in model_fn_shapes.ALL.items()}
ALL |= {name: HEAD + text for name, text in variable_programs.ALL.items()}
ALL |= {name: HEAD + text for name, text in helper_programs.ALL.items()}
ALL |= {name: HEAD + text for name, text in scope_programs.ALL.items()}
ALL |= {name: HEAD + text for name, text in loop_programs.ALL.items()}
