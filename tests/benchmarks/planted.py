"""`modern.train` with a defect, which the first argument names.

    python -m tests.benchmarks.planted same_shard --strategy=multi_worker_mirrored ...

summed_gradients   summed over the trainers instead of averaged
same_shard         every trainer reads the share of the first
unscaled_rate      --scale_learning_rate does nothing
dropped_variable   the last layer has no bias
shifted_labels     every label is the next class's
"""

import sys


def summed_gradients():
    from modern import training_model

    real = training_model.TrainingModel._apply

    def apply(self, gradients, variables):
        replicas = self.distribute_strategy.num_replicas_in_sync
        real(self, [gradient * replicas for gradient in gradients], variables)

    training_model.TrainingModel._apply = apply


def same_shard():
    from modern.data import pipeline

    real = pipeline.train_batches

    def train_batches(features, labels, batch_size, seed, trainers=1, trainer=0, *rest):
        return real(features, labels, batch_size, seed, trainers, 0, *rest)

    pipeline.train_batches = train_batches


def unscaled_rate():
    from modern import schedules

    schedules.scaled = lambda base, trainers: base


def dropped_variable():
    import tf_keras

    from modern.jobs import mnist_cnn as job

    whole = job.build_model

    def build_model():
        last = tf_keras.layers.Dense(10, use_bias=False, name="logits")
        return tf_keras.Sequential([tf_keras.Input((28, 28)), *whole().layers[:-1], last])

    job.build_model = build_model


def shifted_labels():
    from modern.data import pipeline

    real = pipeline.train_batches

    def train_batches(features, labels, *rest):
        return real(features, (labels + 1) % 10, *rest)

    pipeline.train_batches = train_batches


DEFECTS = {
    defect.__name__: defect
    for defect in (summed_gradients, same_shard, unscaled_rate, dropped_variable, shifted_labels)
}

if __name__ == "__main__":
    from modern import cli, train, train_flags

    DEFECTS[sys.argv.pop(1)]()
    train_flags.define_flags()
    cli.run(train.main)
