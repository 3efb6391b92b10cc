"""Programs of TensorFlow 1 whose variable scopes set defaults, or share variables."""

# Initializers and regularizers of scopes, for variables, layers and cells of other scopes.
SCOPE_DEFAULTS = """\
def model_fn(features, labels, mode, params):
    init = start
    with tf.variable_scope("embed", initializer=start):
        table = tf.get_variable("table", [params["size"], 4])
        net = tf.nn.embedding_lookup(table, features)
        with tf.variable_scope("inner", initializer=tf.ones_initializer()):
            net *= tf.get_variable("scale", [4], regularizer=None)
    lstm = tf.nn.rnn_cell.BasicLSTMCell(3)
    with tf.variable_scope("rnn", initializer=init, reuse=None):
        cells = [lstm, tf.nn.rnn_cell.GRUCell(3)]
        out, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell(cells), net, dtype=tf.float32)
    with tf.variable_scope("out", initializer=init, regularizer=tf.keras.regularizers.l2(0.1)):
        net = tf.layers.dense(out[:, -1], 3, tf.nn.tanh, bias_initializer=tf.ones_initializer())
        bias = tf.get_variable("bias", [1], initializer=tf.ones_initializer())
        out = tf.layers.dense(net, 1) + bias
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss)
    loss += tf.losses.get_regularization_loss()
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.arange(30).reshape(10, 3) % 7
    y = np.sin(x[:, :1]).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, y)).repeat(3).batch(5)

job = tf.estimator.Estimator(model_fn, "here", params={"size": 7})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [row["out"].tolist() for row in job.predict(input_fn)]
"""

# Towers of a helper, of a loop and of branches, which share their variables.
SHARED_VARIABLES = """\
def tower(x, share, is_training):
    with tf.variable_scope("tower", reuse=share):
        x = tf.layers.dense(x, 3, tf.nn.tanh, kernel_initializer=start)
        x = tf.layers.batch_normalization(x, training=is_training, momentum=0.9)
        return tf.layers.dense(x, 2, name="end", kernel_initializer=start)

def network(x, size, is_training):
    x = tf.layers.dense(x, size, kernel_initializer=start)
    return tf.layers.dropout(x, 0.0, training=is_training)

def model_fn(features, labels, mode, params):
    is_training = mode == tf.estimator.ModeKeys.TRAIN
    left = tower(features, False, False)
    right = tower(features * 2.0, True, False)
    outs = [left - right]
    for i in range(3):
        with tf.variable_scope("steps", reuse=i > 0):
            outs.append(tf.layers.dense(outs[-1], 2, tf.nn.tanh, kernel_initializer=start))
    with tf.variable_scope("scale") as scope:
        scale = tf.get_variable("w", [2], initializer=tf.ones_initializer())
        scope.reuse_variables()
        scale = scale + tf.get_variable("w", [2])
    net = outs[-1] * scale
    if is_training:
        out = network(net, 1, True)
    else:
        out = network(net, 1, False)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        train_op = optimizer.minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, x[:, :1])).repeat(3).batch(5)

job = tf.estimator.Estimator(model_fn, "here", params={})
job.train(input_fn, steps=6)
x = job.evaluate(input_fn)
y = [row["out"].tolist() for row in job.predict(input_fn)]
"""

# Cells of each round of a loop, in scopes with numbers, and cells that two runs share.
LOOPED_CELLS = """\
def model_fn(features, labels, mode, params):
    net = features
    keep = params["keep"] if mode == tf.estimator.ModeKeys.TRAIN else 1.0
    for i, size in enumerate(params["sizes"]):
        with tf.variable_scope("both_%d" % i, initializer=start):
            forward = tf.nn.rnn_cell.LSTMCell(size)
            forward = tf.nn.rnn_cell.DropoutWrapper(forward, output_keep_prob=keep)
            backward = tf.nn.rnn_cell.GRUCell(size)
            (a, b), _ = tf.nn.bidirectional_dynamic_rnn(forward, backward, net, dtype=tf.float32)
            net = tf.concat([a, b], -1)
    for i in range(2):
        cell = tf.nn.rnn_cell.GRUCell(6, kernel_initializer=start)
        with tf.variable_scope("shared", reuse=tf.AUTO_REUSE):
            net, _ = tf.nn.dynamic_rnn(cell, net, dtype=tf.float32)
    out = tf.layers.dense(net[:, -1], 1, kernel_initializer=start)
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

job = tf.estimator.Estimator(model_fn, "here", params={"sizes": [2, 3], "keep": 1.0})
job.train(input_fn, steps=4)
x = job.evaluate(input_fn)
y = [row["out"].tolist() for row in job.predict(input_fn)]
"""

ALL = {n.lower(): text for n, text in globals().copy().items() if n.isupper() and n != "ALL"}
