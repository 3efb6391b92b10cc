"""Tests of event files that are damaged, or made to crash their reader."""

import struct
import subprocess
import sys

import pytest
import tensorflow as tf

from modern.records import events, summaries
from tests.cluster.trainings import ROOT

NAME = "events.out.tfevents.1.crafted"
READ = """
import sys
from modern.process import quiet_import
quiet_import.import_tensorflow()
from modern.records import summaries
print(summaries.read(sys.argv[1]))
"""


def masked_checksum(data):
    """Returns the CRC-32C of bytes as records have it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def header(length):
    """Returns the beginning of a record, with a correct checksum."""
    packed = struct.pack("<Q", length)
    return packed + struct.pack("<I", masked_checksum(packed))


def good_file(folder, steps=3):
    """Writes an event file with losses, and returns its path."""
    writer = summaries.ScalarWriter(str(folder))
    for step in range(steps):
        writer.write(step, {"loss": 0.5})
    return next(folder.iterdir())


def test_headers_are_those_of_tensorflow(tmp_path):
    content = good_file(tmp_path).read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    assert content.startswith(header(length))


def test_a_length_beyond_the_file_is_one_line(tmp_path):
    """TensorFlow's reader crashes, takes the memory, or raises another error than at damage."""
    lengths = {8 << 30: 8, 1 << 40: 40, (1 << 64) - 16: 64}
    for length, number in lengths.items():
        (tmp_path / str(number)).mkdir()
        content = good_file(tmp_path / str(number)).read_bytes()
        path = tmp_path / f"events.out.tfevents.{number}"
        path.write_bytes(content + header(length) + b"x" * 100)
    done = subprocess.run(
        [sys.executable, "-c", READ, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "{0: {'loss': 0.5}, 1: {'loss': 0.5}, 2: {'loss': 0.5}}\n"
    lines = [line for line in done.stderr.splitlines() if "tfevents" in line]
    assert len(lines) == len(lengths)
    for length, number in lengths.items():
        (line,) = [line for line in lines if f"tfevents.{number}," in line]
        assert f"which is damaged: the record of {length:,} bytes at byte" in line


@pytest.mark.parametrize("left", [1, 8, 20])
def test_the_events_before_a_cut_are_read(left, tmp_path, caplog):
    path = good_file(tmp_path)
    sizes, content = [0], path.read_bytes()
    while sizes[-1] < len(content):
        (length,) = struct.unpack("<Q", content[sizes[-1] :][:8])
        sizes.append(sizes[-1] + length + 16)
    path.write_bytes(content[: sizes[-2] + left])
    assert [event.step for event in events.read(str(path)) if event.summary.value] == [0, 1]
    assert "is longer than the file" in caplog.text


def test_other_damage_is_one_line(tmp_path, caplog):
    (tmp_path / NAME).write_bytes(header(4) + b"data" + b"none")
    assert [*events.read(str(tmp_path / NAME))] == []
    assert f"{NAME}, which is damaged: " in caplog.text


def test_a_folder_in_place_of_a_file_is_one_line(tmp_path, caplog):
    (tmp_path / NAME).mkdir()
    good_file(tmp_path / "own").rename(tmp_path / "events.out.tfevents.0")
    (tmp_path / "own").rmdir()
    assert [*summaries.read(str(tmp_path))] == [0, 1, 2]
    assert "it is not a file" in caplog.text


def test_a_remote_file_is_read(tmp_path):
    target = "ram://events/events.out.tfevents.1"
    tf.io.gfile.copy(str(good_file(tmp_path)), target)
    assert [*summaries.read("ram://events")] == [0, 1, 2]
    tf.io.gfile.remove(target)
