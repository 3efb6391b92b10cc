"""Entry point of a package of several files, in the style of Cloud ML samples of 2018."""
import argparse
import os

import tensorflow as tf
from tensorflow.contrib.training.python.training import hparam

from trainer import input as input_module
from trainer import model


def run_experiment(hparams):
    train_input = lambda: input_module.input_fn(1, num_epochs=hparams.num_epochs)
    eval_input = lambda: input_module.input_fn(2, num_epochs=1, batch_size=hparams.eval_batch_size)
    train_spec = tf.estimator.TrainSpec(train_input, max_steps=hparams.train_steps)
    exporter = tf.estimator.FinalExporter("census", input_module.json_serving_input_fn)
    eval_spec = tf.estimator.EvalSpec(
        eval_input, steps=hparams.eval_steps, exporters=[exporter], name="census-eval",
        throttle_secs=0)
    run_config = tf.estimator.RunConfig(tf_random_seed=19, save_checkpoints_steps=10)
    run_config = run_config.replace(model_dir=hparams.job_dir)
    print("model dir {}".format(run_config.model_dir))
    estimator = model.build_estimator(
        embedding_size=hparams.embedding_size,
        hidden_units=[
            max(2, int(hparams.first_layer_size * hparams.scale_factor**i))
            for i in range(hparams.num_layers)
        ],
        config=run_config)
    tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--job-dir", default="census_job")
    parser.add_argument("--num-epochs", type=int)
    parser.add_argument("--eval-batch-size", type=int, default=15)
    parser.add_argument("--embedding-size", default=3, type=int)
    parser.add_argument("--first-layer-size", default=8, type=int)
    parser.add_argument("--num-layers", default=2, type=int)
    parser.add_argument("--scale-factor", default=0.7, type=float)
    parser.add_argument("--train-steps", default=20, type=int)
    parser.add_argument("--eval-steps", default=4, type=int)
    parser.add_argument("--verbosity", choices=["DEBUG", "ERROR", "FATAL", "INFO", "WARN"],
                        default="ERROR")
    args, _ = parser.parse_known_args()
    tf.logging.set_verbosity(args.verbosity)
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = str(tf.logging.__dict__[args.verbosity] // 10)
    hparams = hparam.HParams(**args.__dict__)
    run_experiment(hparams)
