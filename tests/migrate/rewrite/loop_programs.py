"""Programs of TensorFlow 1 with layers in nested loops."""

# Stages of blocks with conditions, a growing width, a value of the last round, and scopes.
NESTED_LOOPS = """\
def block(x, width, project, is_training):
    x = tf.layers.batch_normalization(x, training=is_training, momentum=0.9)
    shortcut = x
    if project:
        shortcut = tf.layers.dense(x, width, kernel_initializer=start)
    x = tf.layers.dense(tf.nn.tanh(x), width, kernel_initializer=start)
    return tf.layers.dense(x, width, kernel_initializer=start) + shortcut

def model_fn(features, labels, mode, params):
    is_training = mode == tf.estimator.ModeKeys.TRAIN
    net, sizes = features, []
    width = 2
    for stage, count in enumerate(params["blocks"]):
        width *= 2
        for i in range(count):
            net = block(net, width, i == 0, is_training)
            if is_training:
                net = tf.layers.dropout(net, 0.0, training=True)
        if stage < 1:
            net = tf.layers.dense(net, width, tf.nn.tanh, kernel_initializer=start)
        sizes.append(net)
    for stage in range(2):
        with tf.variable_scope("head%d" % stage):
            units = 3 - stage
            for j in range(2):
                net = tf.layers.dense(net, units, tf.nn.tanh, kernel_initializer=start)
                net *= tf.get_variable("scale%d" % j, [units], initializer=start)
    net = tf.concat([net, tf.layers.dense(sizes[0], width, kernel_initializer=start)], 1)
    out = tf.layers.dense(net, 1, kernel_initializer=start)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, {"out": out})
    loss = tf.losses.mean_squared_error(labels, out)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn():
    x = np.sin(np.arange(40.0)).reshape(10, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices((x, x[:, :1])).repeat(2).batch(5)

job = tf.estimator.Estimator(model_fn, "here", params={"blocks": [1, 2]})
job.train(input_fn, steps=4)
x = job.evaluate(input_fn)
y = [row["out"].tolist() for row in job.predict(input_fn)]
"""

ALL = {n.lower(): text for n, text in globals().copy().items() if n.isupper() and n != "ALL"}
