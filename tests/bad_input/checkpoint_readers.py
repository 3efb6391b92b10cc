"""Readers of event files and checkpoints, each with files to mutate, as in `readers`."""

import functools
import json
import pathlib
import shutil
import tempfile
import zipfile

import numpy as np
import tensorflow as tf
import tf_keras

from migrate.checkpoint import inspecting, open_source
from migrate.checkpoint.formats import bundle_index
from modern.records import summaries
from tests.bad_input import mutations, readers
from tests.migrate.checkpoint import small


def read_events(rng, folder):
    path = folder / "events.out.tfevents.1"
    path.write_bytes(mutations.of_bytes(rng, _event_file()))
    summaries.read(str(folder))
    return 0, ""


@functools.cache
def _event_file():
    with tempfile.TemporaryDirectory() as folder:
        writer = summaries.ScalarWriter(folder)
        for step in range(3):
            writer.write(step, {"loss": 1.0, "accuracy": 0.5})
        return next(pathlib.Path(folder).iterdir()).read_bytes()


@functools.cache
def checkpoints():
    """Returns a folder with a checkpoint of each kind."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="bad-input-"))
    tf1 = tf.compat.v1
    (folder / "names").mkdir()
    small.train_v1(
        lambda: tf1.train.AdamOptimizer(0.1), 2, str(folder / "names/model.ckpt-2"), partitions=2
    )
    (folder / "objects").mkdir()
    net = small.build()
    optimizer = tf_keras.optimizers.Adam()
    optimizer.build(net.trainable_variables)
    tf.train.Checkpoint(model=net, optimizer=optimizer).save(str(folder / "objects/ckpt"))
    (folder / "old").mkdir()
    with tf.Graph().as_default(), tf1.Session() as session:
        tf1.get_variable("dense/kernel", (8, 4))
        tf1.train.get_or_create_global_step()
        session.run(tf1.global_variables_initializer())
        tf1.train.Saver(write_version=1).save(session, str(folder / "old/model.ckpt"))
    model = tf_keras.Sequential([tf_keras.layers.Input((3,)), tf_keras.layers.Dense(2)])
    model.compile("adam", "mse")
    model.fit(np.zeros((4, 3)), np.zeros((4, 2)), verbose=0)
    (folder / "keras").mkdir()
    model.save(folder / "keras/m.keras")
    model.save(folder / "keras/m.h5")
    model.save_weights(folder / "keras/m.weights.h5")
    return folder


def _read_checkpoint(path):
    with open_source(str(path)) as source:
        inspecting.summary(source)
        for tensor in source.stored:
            source.read(tensor)
            source.read_tensor(tensor)
    return 0, ""


def _copied(kind, folder):
    return pathlib.Path(shutil.copytree(checkpoints() / kind, folder / kind))


def read_bundle(rng, folder):
    copied = _copied(rng.choice(("names", "objects")), folder)
    path = rng.choice(sorted(copied.iterdir()))
    change = mutations.of_text if path.name == "checkpoint" else mutations.of_bytes
    content = path.read_text() if path.name == "checkpoint" else path.read_bytes()
    path.write_bytes(change(rng, content))
    return _read_checkpoint(copied)


def read_index(rng, folder):
    """Changes the entries of an index, whose checksums stay right."""
    copied = _copied(rng.choice(("names", "objects")), folder)
    path = next(copied.glob("*.index"))
    data = path.read_bytes()
    _, _, place = bundle_index._handle(data, len(data) - 48)
    start, size, _ = bundle_index._handle(data, place)
    blocks = [(start, size)]
    blocks += [bundle_index._handle(h, 0)[:2] for _, h in bundle_index._block(data, start, size)]
    start, size = rng.choice(blocks[1:] * 5 + blocks[:1])
    changed = bytearray(mutations.in_place(rng, data, start, start + size))
    crc = _masked_crc32c(bytes(changed[start : start + size + 1]))
    changed[start + size + 1 : start + size + 5] = crc.to_bytes(4, "little")
    path.write_bytes(changed)
    return _read_checkpoint(copied)


@functools.cache
def _crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


def _masked_crc32c(content):
    crc = 0xFFFFFFFF
    for byte in content:
        crc = _crc_table()[(crc ^ byte) & 0xFF] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


@functools.cache
def _object_graph():
    with open_source(str(checkpoints() / "objects")) as source:
        reader = tf.train.load_checkpoint(source.path)
        shapes = reader.get_variable_to_shape_map()
        return {name: reader.get_tensor(name) for name in shapes}


def read_object_graph(rng, folder):
    tensors = dict(_object_graph())
    key = "_CHECKPOINTABLE_OBJECT_GRAPH"
    tensors[key] = mutations.of_bytes(rng, tensors[key])
    prefix = str(folder / "ckpt")
    values = [tf.constant(value) for value in tensors.values()]
    tf.raw_ops.SaveV2(
        prefix=prefix, tensor_names=[*tensors], shape_and_slices=[""] * len(values), tensors=values
    )
    return _read_checkpoint(prefix)


def read_old_format(rng, folder):
    copied = _copied("old", folder)
    path = copied / "model.ckpt"
    path.write_bytes(mutations.of_bytes(rng, path.read_bytes()))
    return _read_checkpoint(path)


def read_hdf5(rng, folder):
    copied = _copied("keras", folder)
    path = copied / rng.choice(("m.h5", "m.weights.h5"))
    path.write_bytes(mutations.of_bytes(rng, path.read_bytes()))
    return _read_checkpoint(path)


def read_keras(rng, folder):
    path = _copied("keras", folder) / "m.keras"
    kind = rng.randrange(3)
    if kind == 0:
        path.write_bytes(mutations.of_bytes(rng, path.read_bytes()))
    elif kind == 1:
        readers.change_member(rng, path, rng.choice((0, 8)), lambda name: 1 << 20)
    else:
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        members["config.json"] = mutations.of_json(rng, json.loads(members["config.json"]))
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
    return _read_checkpoint(path)


READERS = {
    name.removeprefix("read_"): function
    for name, function in [*globals().items()]
    if name.startswith("read_")
}
