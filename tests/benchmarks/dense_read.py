"""Runs `modern.train` with a planted defect: each step reads the whole tables of sparse_embeddings.

python -m tests.benchmarks.dense_read --job=sparse_embeddings --strategy=parameter_server ...
"""

import tensorflow as tf

from modern import train
from modern.layers import embedding
from modern.process import cli
from modern.tasks import train_flags


class ReadsWholeTable(embedding.Embedding):
    def call(self, ids):
        whole = tf.reduce_sum(tf.stop_gradient(tf.convert_to_tensor(self.embeddings)))
        return super().call(ids) + 1e-30 * whole


if __name__ == "__main__":
    embedding.Embedding = ReadsWholeTable
    train_flags.define_flags()
    cli.run(train.main, misuse=train.MISUSE)
