from legacy import contrib
import tensorflow.compat.v1 as tf
with tf.Graph().as_default(), tf.Session() as session:
    metrics = contrib.metrics
    labels, classes = tf.constant([1, 0, 1, 1]), tf.constant([1, 1, 1, 0])
    both = (
        metrics.streaming_accuracy(classes, labels, tf.constant([1., 1., 2., 1.])),
        metrics.streaming_percentage_less([1., 2., 3.], 2.5, name='below'),
        metrics.streaming_precision(labels=labels, predictions=classes),
    )
    session.run(tf.local_variables_initializer())
    x = [float(value) for value in session.run([update for _, update in both])]
y = 0
