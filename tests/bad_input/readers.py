"""Readers of foreign files that do not need TensorFlow, each with files to mutate.

A reader takes a random generator and an empty folder. It writes a mutated file into the folder,
reads it as its command does, and returns the exit code with the message. The errors of `EXPECTED`
are those that the commands print in one line, with exit code 2.
"""

import contextlib
import gzip
import io
import json
import os
import pathlib
import pickle
import zipfile

import numpy as np
from absl import flags

from migrate import __main__ as migrate
from migrate import sources
from migrate.checkpoint.naming.mapping import TensorMap
from migrate.rewrite.engine import files as rewritten_files
from migrate.scan import reading
from modern.cluster import tf_config
from modern.data import adult, cifar10, mnist
from modern.data.arrays import DataError
from modern.launcher import launch_flags
from modern.process import app_flags, cli, references
from tests.bad_input import mutations
from tests.migrate.cluster import manifests
from tests.modern.data import test_adult, test_cifar10, test_mnist

EXPECTED = (
    cli.UsageError,
    DataError,
    tf_config.TFConfigError,
    flags.Error,
    rewritten_files.NotReadable,
)
TF_CONFIG = {
    "cluster": {"chief": ["localhost:2222"], "worker": ["b:2222", "[::1]:1"], "ps": ["10.0.0.1:2"]},
    "task": {"type": "worker", "index": 0},
    "environment": "cloud",
}
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["# A title\n"]},
        {
            "cell_type": "code",
            "source": ["%time -n 10 x = 1\n", "!pip install y\n", "import tensorflow as tf\n"],
            "outputs": [{"text": "x"}],
        },
        {"cell_type": "code", "source": "%%writefile -a a.py\ntf.estimator.Estimator(f)\n"},
        {"cell_type": "code", "source": "x = tf.log(2.0)\ntf.app.run()"},
    ],
    "metadata": {"language_info": {"name": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
FLAGS = "--workers=3\n# a comment\n--chief\n--log_dir=logs\n--flagfile=more.flags\n"
MAP = "conv2d/kernel = conv/kernel:0\ndense/bias = ?  # one of: a | b\nhead = -\n- = new/kernel\n"


def read_tf_config(rng, folder):
    content = mutations.of_json(rng, TF_CONFIG).decode("utf-8", "surrogateescape")
    config = tf_config.load({"TF_CONFIG": content.replace("\0", "")})
    for way in tf_config.WAYS:
        with contextlib.suppress(tf_config.TFConfigError):
            tf_config.validate(config, way, check_port=False)
    return 0, ""


def read_flag_file(rng, folder):
    (folder / "more.flags").write_text(f"--ps=1\n--flagfile={folder}/{rng.choice(('a', 'b'))}")
    (folder / "b").write_text("--evaluator")
    path = folder / "a.flags"
    path.write_bytes(mutations.of_text(rng, FLAGS.replace("more", f"{folder}/more")))
    launch_flags.define()(app_flags.with_flag_files(["launch", f"--flagfile={path}"]))
    return 0, ""


def read_idx(rng, folder):
    pack = rng.random() < 0.5
    test_mnist.write_idx(folder, pack=pack)
    path = rng.choice(sorted(folder.iterdir()))
    if pack and rng.random() < 0.5:
        path.write_bytes(gzip.compress(mutations.of_bytes(rng, gzip.decompress(path.read_bytes()))))
    else:
        path.write_bytes(mutations.of_bytes(rng, path.read_bytes()))
    mnist.load(str(folder))
    return 0, ""


def read_npz(rng, folder):
    path = folder / "mnist.npz"
    np.savez(path, **test_mnist.arrays())
    if rng.random() < 0.5:
        path.write_bytes(mutations.of_bytes(rng, path.read_bytes()))
    else:
        change_member(rng, path, zipfile.ZIP_DEFLATED, lambda name: 200)
    mnist.load(str(folder))
    return 0, ""


def change_member(rng, path, compression, head, change=mutations.of_bytes):
    """Changes the beginning of a member of a zip file, whose checksums stay right."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(sorted(members))
    count = head(name)
    members[name] = change(rng, members[name][:count]) + members[name][count:]
    with zipfile.ZipFile(path, "w", compression) as archive:
        for member, content in members.items():
            archive.writestr(member, content)


def read_cifar(rng, folder):
    contents = test_cifar10.batches()
    name = rng.choice(sorted(contents))
    # Most of a batch are pixels. Its beginning and its end have the structure.
    content = contents[name]
    if rng.random() < 0.5:
        content = pickle.dumps(pickle.loads(content, encoding="latin1"), rng.randrange(6))
    place = rng.choice((0, len(content) - 150))
    changed = mutations.of_bytes(rng, content[place : place + 150])
    contents[name] = content[:place] + changed + content[place + 150 :]
    test_cifar10.write_folder(folder, contents)
    cifar10.load(str(folder))
    return 0, ""


def read_tar(rng, folder):
    path = test_cifar10.write_archive(folder, test_cifar10.batches())
    path = folder / "cifar-10-python.tar.gz"
    content = path.read_bytes()
    if rng.random() < 0.7:
        content = gzip.decompress(content)
        place = 512 * rng.randrange(len(content) // 512)
        changed = mutations.in_place(rng, content, place, place + 512)
        content = gzip.compress(changed, 1)
    else:
        content = mutations.of_bytes(rng, content)
    path.write_bytes(content)
    cifar10.load(str(folder))
    return 0, ""


def read_csv(rng, folder):
    (folder / adult.TRAIN_FILE).write_bytes(mutations.of_text(rng, test_adult.TRAIN))
    (folder / adult.TEST_FILE).write_text(test_adult.TEST)
    adult.load(str(folder))
    return 0, ""


def _command(*argv):
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = migrate.main(argv)
        out.flush()
    return code, err.getvalue()


def read_manifest(rng, folder):
    name = rng.choice(("TFJOB", "TF_CONFIG"))
    if name == "TFJOB":
        path, text = folder / "job.yaml", manifests.TFJOB
    else:
        path = folder / rng.choice(("job.json", "job.sh", "pod.yaml"))
        value = json.dumps(TF_CONFIG)
        text = {
            "job.json": value,
            "job.sh": f"export TF_CONFIG='{value}'\npython train.py\n" * 2,
            "pod.yaml": f"kind: Pod\nspec:\n  env:\n  - name: TF_CONFIG\n    value: '{value}'\n",
        }[path.name]
    path.write_bytes(mutations.of_text(rng, text))
    target = rng.choice(((), ("--check",), ("--target=kubernetes",), ("--target=compose",)))
    way = ("--to=parameter_server",) if target != ("--check",) else ()
    command = ("--command=python train.py", "--image=i") if "target" in "".join(target) else ()
    use_folder = rng.random() < 0.3
    return _command("cluster", str(folder if use_folder else path), *way, *target, *command)


def read_notebook(rng, folder):
    path = folder / "a.ipynb"
    path.write_bytes(mutations.of_json(rng, NOTEBOOK))
    read = reading.read_file(sources.Source(str(path), str(folder)), frozenset(), is_named=True)
    file = rewritten_files.read(str(path))
    rewritten_files.with_code(file, file.code.replace("tf.log", "tf.math.log"))
    return (2, read.error) if read.error else (0, "")


def read_python(rng, folder):
    path = folder / "a.py"
    program = pathlib.Path(__file__).with_name("mutations.py").read_text()
    path.write_bytes(mutations.of_text(rng, program))
    (folder / ".gitignore").write_bytes(mutations.of_text(rng, "*.pyc\n!a.py\nbuild/\n[a-z]/**\n"))
    errors = []
    for source in sources.find([str(folder)]):
        read = reading.read_file(source, frozenset(), is_named=True)
        errors += [read.error] if read.error else []
    return (2, errors[0]) if errors else (0, "")


def read_map(rng, folder):
    (folder / "a.map").write_bytes(mutations.of_text(rng, MAP))
    TensorMap.read(str(folder / "a.map"))
    return 0, ""


def read_params(rng, folder):
    params = {"learning_rate": 0.1, "layers": [1, 2, {"a": None}]}
    content = mutations.of_json(rng, params).decode("utf-8", "surrogateescape")
    references.parameters(content, "--params")
    return 0, ""


READERS = {
    name.removeprefix("read_"): function
    for name, function in [*globals().items()]
    if name.startswith("read_")
}
os.environ.pop("TF_CONFIG", None)
