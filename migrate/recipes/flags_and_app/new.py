"""Flags, logging and main with absl, on which tf.flags and tf.app were built."""

import sys
import tempfile

from absl import app, flags, logging

flags.DEFINE_string("model_dir", None, "Where the model is kept.")
flags.DEFINE_integer("train_steps", 100, "How many steps to train.")
flags.DEFINE_float("learning_rate", 0.1, "Learning rate.")
flags.DEFINE_boolean("evaluate", True, "Whether to evaluate at the end.")
flags.DEFINE_enum("optimizer", "sgd", ["sgd", "adam"], "Optimizer.")
flags.DEFINE_list("hidden", ["8", "4"], "Sizes of the hidden layers.")
flags.mark_flag_as_required("model_dir")
FLAGS = flags.FLAGS

FOUND = {}


def run(unused_argv):
    logging.set_verbosity(logging.WARNING)
    logging.info("not printed at this verbosity")
    logging.warning("training for %d steps", FLAGS.train_steps)
    FOUND["flags"] = {
        "model_dir": FLAGS.model_dir,
        "train_steps": FLAGS.train_steps,
        "learning_rate": FLAGS.learning_rate,
        "evaluate": FLAGS.evaluate,
        "optimizer": FLAGS.optimizer,
        "hidden": [int(size) for size in FLAGS.hidden],
    }
    FOUND["left_over"] = unused_argv[1:]
    FOUND["logs_info"] = logging.get_verbosity() < 0  # the levels of absl: -1 is WARNING


def main(folder):
    arguments = ["--model_dir=" + folder, "--train_steps=5", "--noevaluate", "--hidden=16", "x"]
    try:
        app.run(run, [sys.argv[0]] + arguments)
    except SystemExit as ended:
        FOUND["exit_code"] = ended.code or 0
    FOUND["flags"]["model_dir"] = FOUND["flags"]["model_dir"] == folder
    return FOUND


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
