"""Small programs, which are jobs or parts of jobs."""

CUSTOM = """
    import os
    import tensorflow as tf
    from model import model_fn
    from data import train_input

    class Stop(tf.train.SessionRunHook):
        pass

    def main(_):
        strategy = tf.contrib.distribute.MirroredStrategy()
        config = tf.estimator.RunConfig(train_distribute=strategy)
        warm = tf.estimator.WarmStartSettings("old")
        estimator = tf.estimator.Estimator(model_fn=model_fn, config=config, warm_start_from=warm)
        exporter = tf.estimator.BestExporter(serving_input_receiver_fn=serving)
        tf.estimator.train_and_evaluate(
            estimator,
            tf.estimator.TrainSpec(input_fn=train_input, hooks=[Stop()]),
            tf.estimator.EvalSpec(input_fn=lambda: train_input(1), exporters=exporter))

    if __name__ == "__main__":
        tf.app.run(main)
"""
MODEL = """
    import tensorflow as tf
    def model_fn(features, labels, mode, params):
        return tf.estimator.EstimatorSpec(mode, loss=tf.losses.mean_squared_error(labels, 1))
"""
SESSION = """
    import tensorflow as tf
    with tf.Session() as session:
        session.run(tf.train.AdamOptimizer().minimize(loss))
    if __name__ == "__main__":
        pass
"""
CANNED = """
    import tensorflow as tf
    if __name__ == "__main__":
        tf.estimator.DNNClassifier([3], []).train(tf.estimator.inputs.numpy_input_fn({}))
"""
FACTORY = """
    import tensorflow as tf
    def build(config: tf.estimator.RunConfig) -> tf.estimator.Estimator:
        return tf.estimator.LinearClassifier([], config=config)
"""
