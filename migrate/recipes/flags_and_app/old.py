"""Flags, logging and the app's main, as in every program of the TensorFlow 1 era."""

import sys
import tempfile

import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_string("model_dir", None, "Where the model is kept.")
flags.DEFINE_integer("train_steps", 100, "How many steps to train.")
flags.DEFINE_float("learning_rate", 0.1, "Learning rate.")
flags.DEFINE_boolean("evaluate", True, "Whether to evaluate at the end.")
flags.DEFINE_enum("optimizer", "sgd", ["sgd", "adam"], "Optimizer.")
flags.DEFINE_list("hidden", ["8", "4"], "Sizes of the hidden layers.")
tf.flags.mark_flag_as_required("model_dir")
FLAGS = flags.FLAGS

FOUND = {}


def run(unused_argv):
    tf.logging.set_verbosity(tf.logging.WARN)
    tf.logging.info("not printed at this verbosity")
    tf.logging.warn("training for %d steps", FLAGS.train_steps)
    FOUND["flags"] = {
        "model_dir": FLAGS.model_dir,
        "train_steps": FLAGS.train_steps,
        "learning_rate": FLAGS.learning_rate,
        "evaluate": FLAGS.evaluate,
        "optimizer": FLAGS.optimizer,
        "hidden": [int(size) for size in FLAGS.hidden],
    }
    FOUND["left_over"] = unused_argv[1:]
    FOUND["logs_info"] = tf.logging.get_verbosity() >= 20  # levels as in Python's logging


def main(folder):
    arguments = ["--model_dir=" + folder, "--train_steps=5", "--noevaluate", "--hidden=16", "x"]
    try:
        tf.app.run(run, [sys.argv[0]] + arguments)
    except SystemExit as ended:
        FOUND["exit_code"] = ended.code or 0
    FOUND["flags"]["model_dir"] = FOUND["flags"]["model_dir"] == folder
    return FOUND


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
