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

ALL = {n.lower(): text for n, text in globals().copy().items() if n.isupper() and n != "ALL"}
