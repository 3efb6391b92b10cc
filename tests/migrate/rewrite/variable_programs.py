"""Programs of TensorFlow 1 whose model_fns make their own variables and RNN cells."""

# Variables from initial values: in a dictionary, in functions, in scopes, with and without names.
INITIAL_VALUES = """\
def weight_variable(shape):
    initial = start(shape)
    return tf.Variable(initial)

def tower(x, size, units):
    with tf.name_scope("tower"):
        w = tf.Variable(start([size, units]), name="weights")
        b = tf.Variable(tf.constant(0.1, shape=[units]), name="biases")
        return tf.nn.relu(tf.matmul(x, w) + b)

def model_fn(features, labels, mode, params):
    net = tower(features, 4, params["units"])
    net = tower(net, params["units"], 5)
    weights = {"hidden": tf.Variable(start([5, 4])), "out": tf.Variable(start([4, 1]), name="out")}
    net = tf.nn.tanh(tf.matmul(net, weights["hidden"]))
    for i in params["layers"]:
        w = tf.Variable(start([4, 4]) * 2.0)
        net = tf.nn.tanh(tf.matmul(net, w))
    w = weight_variable([4, 4])
    scale = tf.get_variable("scale", initializer=np.ones([4], "float32"))
    out = tf.matmul(tf.matmul(net, w) * scale, weights["out"])
    if mode == tf.estimator.ModeKeys.PREDICT:
        export = {"out": tf.estimator.export.PredictOutput(out)}
        return tf.estimator.EstimatorSpec(mode, {"out": out}, export_outputs=export)
    loss = tf.losses.mean_squared_error(labels, out) + 0.1 * tf.nn.l2_loss(w)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss)
    train_op = tf.train.GradientDescentOptimizer(0.05).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, x[:, :1])).repeat(3).batch(5)

job = tf.estimator.Estimator(model_fn, "here", params={"units": 6, "layers": [1, 2]})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [row["out"].tolist() for row in job.predict(input_fn)]
"""

# Cells of functions, loops and branches, with dropout that drops nothing, over lists of steps.
CELL_BUILDERS = """\
rnn = tf.contrib.rnn

def make_cell(size, keep, kind="lstm"):
    if kind == "lstm":
        cell = tf.nn.rnn_cell.LSTMCell(size, initializer=start)
    else:
        cell = tf.nn.rnn_cell.GRUCell(size, kernel_initializer=start)
    return tf.nn.rnn_cell.DropoutWrapper(cell, output_keep_prob=keep)

def model_fn(features, labels, mode, params):
    is_training = mode == tf.estimator.ModeKeys.TRAIN
    keep = params["keep"] if is_training else 1.0
    cells = []
    for size in params["sizes"]:
        cell = tf.nn.rnn_cell.GRUCell(size, kernel_initializer=start)
        if is_training and params["keep"] < 1.0:
            cell = rnn.DropoutWrapper(cell, input_keep_prob=params["keep"])
        cells.append(cell)
    stack = rnn.MultiRNNCell(cells)
    state = None
    if is_training:
        state = stack.zero_state(5, tf.float32)
    out, _ = tf.nn.dynamic_rnn(stack, features, initial_state=state, dtype=tf.float32)
    plain = [make_cell(size, keep) for size in params["sizes"]]
    second = rnn.MultiRNNCell([rnn.DropoutWrapper(cell, output_keep_prob=1.0) for cell in plain])
    steps = tf.unstack(out, axis=1)
    with tf.variable_scope("second"):
        steps, _ = tf.nn.static_rnn(second, steps, dtype=tf.float32)
    third = rnn.ResidualWrapper(tf.nn.rnn_cell.GRUCell(4, kernel_initializer=start))
    if mode == tf.estimator.ModeKeys.TRAIN:
        third = rnn.DropoutWrapper(third, state_keep_prob=params["keep"])
    fourth = make_cell(2, keep, "gru")
    with tf.variable_scope("third"):
        steps, _, _ = rnn.static_bidirectional_rnn(third, fourth, steps, dtype=tf.float32)
    out = tf.layers.dense(steps[-1], 1, kernel_initializer=start)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(90.0)).reshape(10, 3, 3).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, x[:, 0, :1])).repeat(2).batch(5)

job = tf.estimator.Estimator(model_fn, "here", params={"sizes": [3, 4], "keep": 1.0})
job.train(input_fn, steps=4)
x = job.evaluate(input_fn)
y = [row["out"].tolist() for row in job.predict(input_fn)]
"""

# Variables and layers of loops, layers and an optimizer that are chosen, a keep_prob that is a
# setting, and a loss that has more terms in training.
SETTINGS = """\
def model_fn(features, labels, mode, params):
    net = tf.contrib.layers.stack(
        features, tf.contrib.layers.fully_connected, params["sizes"],
        activation_fn=tf.nn.tanh, weights_initializer=start)
    for i in range(2):
        net = tf.matmul(net, tf.get_variable("w%d" % i, [3, 3], initializer=start))
    keep = params["keep"] if mode == tf.estimator.ModeKeys.TRAIN else 1.0
    net = tf.contrib.layers.dropout(net, keep)
    net = tf.contrib.layers.dropout(
        net, params["keep"], is_training=mode == tf.estimator.ModeKeys.TRAIN)
    if params["deep"]:
        net = tf.layers.dense(net, params["sizes"][0], kernel_initializer=start)
    out = tf.contrib.layers.fully_connected(
        net, 1, activation_fn=None, weights_initializer=start,
        weights_regularizer=tf.contrib.layers.l2_regularizer(0.3))
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss)
    loss += tf.losses.get_regularization_loss()
    if params["optimizer"] == "adam":
        optimizer = tf.train.AdamOptimizer(0.5)
    elif params["optimizer"] == "sgd":
        optimizer = tf.train.GradientDescentOptimizer(0.1)
    else:
        raise ValueError(params["optimizer"])
    variables = tf.trainable_variables()
    gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 0.2)
    train_op = optimizer.apply_gradients(zip(gradients, variables), tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, x[:, :1])).repeat(3).batch(5)

job = tf.estimator.Estimator(
    model_fn, "here", params={"sizes": [4, 3], "keep": 1.0, "deep": True, "optimizer": "sgd"})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [row["out"].tolist() for row in job.predict(input_fn)]
"""

ALL = {n.lower(): text for n, text in globals().copy().items() if n.isupper() and n != "ALL"}
