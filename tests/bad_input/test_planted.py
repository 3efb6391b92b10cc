"""One hostile file of each kind: each is refused in one line, in little time and memory."""

import gzip
import json
import os
import pathlib
import pickle
import resource
import struct
import subprocess
import sys
import tempfile
import zipfile

import h5py
import numpy as np
import pytest
from absl import flags

from migrate import __main__ as migrate
from migrate import notebooks
from migrate.checkpoint import open_source
from migrate.checkpoint.formats import bundle_index, hdf5
from migrate.cluster import yaml_files
from migrate.cluster.old_jobs import sources
from migrate.rewrite.rules import page
from modern.data import adult, cifar10, mnist, restricted_pickle
from modern.data.arrays import DataError
from modern.process import app_flags, cli, foreign_files
from tests.modern.data import test_adult, test_cifar10, test_mnist

# Seconds of CPU time, which do not grow on a busy machine. Without limits, these files take minutes
# or forever.
SOON = 30.0


def spent():
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


@pytest.fixture(autouse=True)
def _soon():
    began = spent()
    yield
    assert spent() - began < SOON


def bomb(size):
    return gzip.compress(b"\0" * (1 << 20)) * (size >> 20)


@pytest.mark.parametrize("size", [300 << 20])
def test_exploding_gzip(size, tmp_path):
    test_mnist.write_idx(tmp_path)
    (tmp_path / "train-images-idx3-ubyte").write_bytes(bomb(size))
    with pytest.raises(DataError, match="more than 268,435,456 bytes"):
        mnist.load(str(tmp_path))


def test_device_in_a_data_folder(tmp_path):
    test_mnist.write_idx(tmp_path)
    with pytest.raises(OSError, match="not a file"):
        foreign_files.opened("/dev/zero")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a file"):
        foreign_files.opened(tmp_path / "pipe")


def npz(path, header, data=b""):
    """Writes mnist.npz, of which one array has another header."""
    np.savez(path, **test_mnist.arrays())
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    text = header.encode().ljust(117) + b"\n"
    members["x_train.npy"] = b"\x93NUMPY\x01\0" + struct.pack("<H", len(text)) + text + data
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '|u1', 'fortran_order': False, 'shape': (10000000000, 28, 28)}",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (((((",
        "{'descr': '|u1', 'fortran_order': False, 'shape': ('''",
        "{'descr': ['|u1'], 'fortran_order': 3, 'shape': [2]}",
        "{'descr': '|V0', 'fortran_order': False, 'shape': (-1,)}",
    ],
)
def test_lying_header_in_an_npz(header, tmp_path):
    npz(tmp_path / "mnist.npz", header, b"12")
    with pytest.raises(DataError, match=r"mnist.npz: cut short, damaged or unreadable"):
        mnist.load(str(tmp_path))


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("nan", "age is 'nan', expected a number"),
        ("1e39", "age is '1e39', expected a number"),
        ("-inf", "expected a number"),
        ("é" * 101, "expected a number"),
        ("3\0", "age is '3|line contains NUL"),
    ],
)
def test_number_that_is_none_in_a_csv(field, message, tmp_path):
    (tmp_path / "adult.data").write_text(test_adult.TRAIN.replace("39", field, 1))
    (tmp_path / "adult.test").write_text(test_adult.TEST)
    with pytest.raises(DataError, match=message):
        adult.load(str(tmp_path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (test_adult.TRAIN.replace("State-gov", "x" * 101), "'xxxxxxxxxxxxxxxxxxxx'... has 101"),
        (test_adult.TRAIN.replace("State-gov", '"' + "x" * 200_000), "field larger than"),
        (test_adult.TRAIN.replace("State-gov", "\udcff"), "line 1 is not text"),
    ],
)
def test_text_that_is_none_in_a_csv(content, message, tmp_path):
    (tmp_path / "adult.data").write_bytes(content.encode("utf-8", "surrogateescape"))
    (tmp_path / "adult.test").write_text(test_adult.TEST)
    with pytest.raises(DataError, match=message):
        adult.load(str(tmp_path))


def test_other_letters_in_a_csv_are_read(tmp_path):
    (tmp_path / "adult.data").write_text(test_adult.TRAIN.replace("Cuba", "Curaçao"))
    (tmp_path / "adult.test").write_text(test_adult.TEST)
    assert "Curaçao".encode() in adult.load(str(tmp_path)).train_features["native_country"]


NESTED = b"K\x01\x85" + b"2\x86" * 60  # 60 pairs, each of the pair before it twice.


@pytest.mark.parametrize(
    "content",
    [
        b"\x80\x02}" + NESTED + b"K\x01s.",
        b"\x80\x02}(" + NESTED + b"K\x01u.",
        b"\x80\x02(" + NESTED + b"K\x01d.",
        b"\x80\x04\x8f(" + NESTED + b"\x90.",
        b"\x80\x02cnumpy\ndtype\n" + NESTED + b"\x85R.",
        b"\x80\x02cnumpy\ndtype\n}(U\x01xK\x01ub.",
    ],
)
def test_pickle_that_would_never_end(content):
    with pytest.raises(restricted_pickle.NotAllowedError):
        restricted_pickle.loads(content)


def test_pickle_that_asks_for_memory():
    # Entry 2**31 of the memo: the unpickler in C makes room for all entries before it.
    assert restricted_pickle.loads(b"\x80\x02K\x01r\xff\xff\xff\x7f.") == 1


def test_labels_that_expand(tmp_path):
    nested = [1] * 10
    for _ in range(12):
        nested = [nested] * 10
    loaded = restricted_pickle.loads(test_cifar10.batch(5))
    contents = test_cifar10.batches(
        test_batch=pickle.dumps({"data": loaded[b"data"], "labels": nested})
    )
    test_cifar10.write_folder(tmp_path, contents)
    with pytest.raises(DataError, match="labels of type list"):
        cifar10.load(str(tmp_path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"--workers=\xff", "cannot be read: 'utf-8' codec can't decode"),
        (b"--flagfile=a.flags", "contains itself"),
        (b"--flagfile=b.flags\n" * 2, "more than 10,000 lines"),
        (b"--flagfile=nowhere", "cannot be read: No such file"),
        (b"--flagfile", "needs a file"),
        (b"--flagfile=.", "cannot be read: Is a directory"),
        (b"--flagfile=/dev/zero", "more than 1,048,576 bytes"),
    ],
)
def test_flag_file(content, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("a.flags").write_bytes(content)
    for name, other in zip("bcdefghijklmno", "cdefghijklmnop", strict=True):
        pathlib.Path(f"{name}.flags").write_text(f"--flagfile={other}.flags\n" * 3)
    pathlib.Path("p.flags").write_text("--ps=1")
    with pytest.raises(flags.Error, match=message):
        app_flags.with_flag_files(["launch", "--flagfile=a.flags"])


@pytest.mark.parametrize("module", ["modern.launch", "legacy.train"])
def test_flag_file_that_is_not_text_is_refused_in_one_line(module, tmp_path):
    (tmp_path / "a.flags").write_bytes(b"--workers=\xff")
    done = subprocess.run(
        [sys.executable, "-m", module, f"--flagfile={tmp_path}/a.flags", "--", "true"],
        capture_output=True,
        text=True,
        cwd=pathlib.Path(__file__).parents[2],
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "a.flags: cannot be read" in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60)),
         "aliases that expand to"),
        ("a0: &a0 {x: y}\n"
         + "".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, 60)),
         "aliases that expand to"),
        ("a: &a {b: *a}", "within the value of its own anchor"),
        ("a: &a {<<: *a}", "within the value of its own anchor"),
        ("[" * 5000, "nested too deeply"),
        ('a: "\\ud800"', "is no str"),
        ("a: 0x" + "f" * 20000, "is no int"),
        ("a: " + "9" * 20000, "is no int"),
    ],
)  # fmt: skip
def test_manifest(text, message):
    with pytest.raises(yaml_files.ManifestError, match=message):
        yaml_files.parse(text)


def test_many_keys_in_a_manifest():
    text = "".join(f"k{n}: 1\n" for n in range(5000))
    assert len(yaml_files.parse(text)[0]) == 5000


@pytest.mark.parametrize("start", ["{", "'", '"'])
def test_many_assignments_in_a_script(start, tmp_path):
    path = tmp_path / "job.sh"
    path.write_text(f"TF_CONFIG={start}" * 100_000)
    found = sources.find(str(path), sources.JobOptions())
    assert all(job.errors for job in found)


def test_folder_that_cannot_be_read():
    # Not tmp_path: other users may not enter the folder that pytest makes for it.
    with tempfile.TemporaryDirectory() as folder:
        _check_refused_folder(pathlib.Path(folder))


def _check_refused_folder(folder):
    (folder / "shut").mkdir(mode=0)
    # All imports come first, because the other user may not read Python's own folder.
    code = (
        "import os, sys, rich.console, yaml; from migrate import __main__; "
        "from migrate.cluster import command, report, yaml_files; "
        "os.getuid() or os.setuid(65534); sys.exit(__main__.main(sys.argv[1:]))"
    )
    folder.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-c", code, "cluster", str(folder)],
        env=os.environ | {"PYTHONPATH": str(pathlib.Path(__file__).parents[2])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr == f"migrate cluster: {folder}/shut: cannot be read: Permission denied.\n"


@pytest.mark.parametrize("command", [["cluster", "--check"], ["scan", "--details"]])
def test_name_of_a_file_that_is_not_text(command, tmp_path):
    name = os.fsencode(tmp_path) + b"/\xff"
    cluster = {"cluster": {"chief": ["a:1"]}, "task": {"type": "chief", "index": 0}}
    for ending, text in ((b".json", json.dumps(cluster)), (b".py", "tf.log(1)\n")):
        pathlib.Path(os.fsdecode(name + ending)).write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "migrate", *command, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": str(pathlib.Path(__file__).parents[2])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert r"\udcff" in done.stdout


@pytest.mark.parametrize(
    "text",
    [
        '{"a": ' * 100_000,
        '{"cells": ' + "[" * 100_000,
        '{"cells": [{"cell_type": "code", "source": "\\ud800"}]}',
    ],
)
def test_notebook_that_is_none(text):
    with pytest.raises(notebooks.NotANotebook):
        notebooks.read(text)


def test_magic_with_many_options():
    cell = {"cell_type": "code", "source": "%time " + "-aaaaaaaaaaaaaaaa " * 30 + "-"}
    notebooks.read(json.dumps({"cells": [cell]}))


def test_notebook_with_many_cells():
    cells = [{"cell_type": "code", "source": "x = 1\n" * 10}] * 30_000
    assert len(notebooks.read(json.dumps({"cells": cells})).places) == 300_000


def test_pipe_among_programs_does_not_stop_the_scan(tmp_path, capsys):
    os.mkfifo(tmp_path / "a.py")
    (tmp_path / "b.py").write_text("x = 1\n")
    assert migrate.main(["scan", str(tmp_path), "--format=json"]) == 0
    not_read = json.loads(capsys.readouterr().out)["not_read"]
    assert [one["error"] for one in not_read] == ["cannot be read: it is not a file"]


@pytest.mark.parametrize("argv", [[], ["nowhere.md"], ["."]])
def test_page_of_rules(argv, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert page.main(argv) == 2
    assert capsys.readouterr().err.count("\n") == 1


def table(*pairs):
    """Returns a table of LevelDB with these keys and values in one block."""

    def number(value):
        found = b""
        while value >= 128:
            found, value = found + bytes([value % 128 + 128]), value >> 7
        return found + bytes([value])

    def block(pairs):
        content = b"".join(
            b"\0" + number(len(key)) + number(len(value)) + key + value for key, value in pairs
        )
        return content + struct.pack("<II", 0, 1)

    data = block(pairs)
    place = len(data) + 5
    index = block([(b"z", number(0) + number(len(data)))])
    footer = number(0) + number(0) + number(place) + number(len(index))
    whole = data + b"\0" * 5 + index + b"\0" * 5
    return whole + footer.ljust(40, b"\0") + struct.pack("<Q", 0xDB4775248B80FB57)


@pytest.mark.parametrize(
    ("shards", "entry", "message"),
    [
        (2**31 - 1, {}, "names 2,147,483,647 data files"),
        (1, {"shard_id": 1}, "outside of the data files"),
        (1, {"shard_id": -1}, "outside of the data files"),
        (1, {"offset": -8}, "outside of the data files"),
        (1, {"shape": (2**40,)}, "differs from its shape"),
        (1, {"shape": (2**40, 2**40)}, "impossible shape"),
        (1, {"shape": (-1,)}, "impossible shape"),
        (1, {"dtype": 99}, "is not the index of a checkpoint"),
        (1, {"dtype": 7, "shape": (2**40,)}, "differs from its shape"),
    ],
)
def test_index_of_a_checkpoint(shards, entry, message, tmp_path):
    from tensorflow.core.protobuf import tensor_bundle_pb2

    header = tensor_bundle_pb2.BundleHeaderProto(num_shards=shards)
    made = tensor_bundle_pb2.BundleEntryProto(dtype=1, size=4)
    shape = entry.pop("shape", (1,))
    for size in shape:
        made.shape.dim.add(size=size)
    for name, value in entry.items():
        setattr(made, name, value)
    pairs = [(b"", header.SerializeToString()), (b"w", made.SerializeToString())]
    (tmp_path / "ckpt.index").write_bytes(table(*pairs))
    with pytest.raises(cli.UsageError, match=rf"ckpt.index is damaged.*{message}"):
        bundle_index.read(str(tmp_path / "ckpt"))


@pytest.mark.parametrize("content", [b"\xff\xfe", b'model_checkpoint_path: "a', b"\0" * 100, b""])
def test_state_file(content, tmp_path):
    (tmp_path / "checkpoint").write_bytes(content)
    with pytest.raises(cli.UsageError, match="checkpoint is damaged"):
        open_source(str(tmp_path))


def weights(path, change):
    with h5py.File(path, "w") as file:
        file.create_group("layers/dense/vars").create_dataset("0", data=np.zeros((2, 2)))
        change(file["layers/dense"], file)


def _linked_to_itself(group, file):
    group["again"] = group


def _linked_twice(group, file):
    for _ in range(40):
        below = group.create_group("a")
        group["b"] = below
        group = below


def _in_another_file(group, file):
    group["other"] = h5py.ExternalLink("/etc/passwd", "/")


def _raw_bytes_of_another_file(group, file):
    group.create_dataset("1", (100,), "u1", external=[("/etc/passwd", 0, 100)])


def _never_written(group, file):
    group.create_dataset("1", (1 << 40,), "f4", chunks=(1 << 20,))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_linked_to_itself, "two names"),
        (_linked_twice, "two names"),
        (_in_another_file, "is a link"),
        (_raw_bytes_of_another_file, "in another file"),
        (_never_written, "would have 4,398,046,511,104 bytes"),
    ],
)
def test_hdf5(change, message, tmp_path):
    path = str(tmp_path / "m.weights.h5")
    weights(path, change)
    with pytest.raises(cli.UsageError, match=rf"m.weights.h5 is damaged.*{message}"):
        hdf5.Hdf5(path)


@pytest.mark.parametrize("config", ["[" * 100_000, "[]", '{"config": {"layers": [1]}}', "\xff"])
def test_config_in_a_file_of_keras(config, tmp_path):
    weights(tmp_path / "model.weights.h5", lambda group, file: None)
    with zipfile.ZipFile(tmp_path / "m.keras", "w") as archive:
        archive.writestr("config.json", config.encode("latin1"))
        archive.write(tmp_path / "model.weights.h5", "model.weights.h5")
    with pytest.raises(cli.UsageError, match=r"m.keras is damaged"):
        hdf5.Hdf5(str(tmp_path / "m.keras"))
