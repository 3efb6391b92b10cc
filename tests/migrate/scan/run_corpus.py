"""Runs programs of the corpus under legacy in this process, each as `python PROGRAM ARGS` would.

    python -m tests.migrate.scan.run_corpus FOLDER [PROGRAM...]

Prints JSON, one line per program: {"program": ..., "error": null or the traceback, "seconds": ...}.
"""

import contextlib
import io
import json
import os
import runpy
import sys
import time
import traceback

from modern.process import frame_memory

CORPUS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "corpus")
INCOME = ["30,40.0,bachelor,clerk,1,<=50K", "50,50.0,master,chief,2,>50K"] * 8

# Program -> arguments. "{}" stands for the folder of the program.
PROGRAMS = {
    "contrib_blocks.py": ["{}"],
    "digits_cnn.py": ["--model_dir={}", "--train_steps=4", "--export_dir={}/export"],
    "export_and_serve.py": ["{}"],
    "gan.py": ["{}"],
    "image_pipeline.py": ["{}"],
    "income_wide_deep.py": ["--model_dir={}", "--data_dir={}", "--train_steps=20"],
    "learn_experiment.py": ["--job-dir={}"],
    "many_gpus.py": [],
    "parameter_server.py": ["--log_dir={}", "--last_step=5"],
    "prices.py": ["--model_dir={}", "--steps=5"],
    "ranking/train.py": ["{}"],
    "record_queues.py": ["{}"],
    "review_rnn.py": ["--model_dir={}"],
    "session_loop.py": ["{}"],
    "slim_features.py": ["{}"],
    "tpu_images.py": ["--model_dir={}"],
    "watched_training.py": ["--model_dir={}", "--steps=12"],
    "weight_decay.py": ["{}"],
}


def run(program, folder):
    """Runs a program. Returns its error message, or None."""
    import tensorflow as tf

    os.makedirs(folder)
    with open(os.path.join(folder, "train.csv"), "w") as file:
        file.write("\n".join(INCOME))
    os.environ["MODEL_DIR"] = folder
    path = os.path.join(CORPUS, program)
    sys.argv = [path, *(argument.replace("{}", folder) for argument in PROGRAMS[program])]
    tf.compat.v1.reset_default_graph()
    _forget_flags()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        return None if not end.code else f"it ended with {end.code}"
    except Exception:
        return traceback.format_exc()
    return None


def _forget_flags():
    """Deletes the flags of the last program, so that the next can define the same ones."""
    from absl import flags

    ours = [name for name in flags.FLAGS if flags.FLAGS.find_module_defining_flag(name) in KNOWN]
    for name in set(flags.FLAGS) - set(ours):
        delattr(flags.FLAGS, name)
    flags.FLAGS.unparse_flags()


KNOWN = set()


def main(folder, *programs):
    """Runs the named programs, or all of them, in `folder`."""
    from absl import flags

    import legacy

    legacy.install(api="v1")
    import tensorflow as tf

    KNOWN.update(flags.FLAGS.flags_by_module_dict())
    KNOWN.discard(sys.argv[0])
    tf.get_logger().setLevel("ERROR")
    for program in programs or PROGRAMS:
        started = time.process_time()
        error = run(program, os.path.join(folder, program.replace("/", "_")))
        seconds = round(time.process_time() - started, 2)
        print(json.dumps({"program": program, "error": error, "seconds": seconds}), flush=True)


if __name__ == "__main__":
    frame_memory.with_room(main)(*sys.argv[1:])
