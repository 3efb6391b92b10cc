"""Tests that pretrained checkpoints are in the copy of a program, and its own models are not."""

import os

import pytest

from migrate.port.copies import mirror, program

OWN = ("events.out.tfevents.1", "graph.pbtxt", "model.ckpt-9.index", "params.json", "vocab.txt")
PUBLISHED = ("bert.ckpt.index", "bert.ckpt.data-00000-of-00001", "config.json", "vocab.txt")


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """Returns a function that returns the files of a folder in the copy of a program."""

    def show(text, words=(), names=PUBLISHED, folder="job/old"):
        (tmp_path / folder).mkdir(parents=True)
        for name in ("checkpoint", *names):
            (tmp_path / folder / name).touch()
        (tmp_path / "job" / "task.py").write_text(text)
        monkeypatch.chdir(tmp_path / "job")
        task = program.read(".", ["python", "task.py", *words])
        output = str(tmp_path / "ported")
        mirror.take(task, f"{output}/source", without=output)
        mirror.show(task, f"{output}/source", f"{output}/work", without=output)
        place = f"{output}/work/{os.path.relpath(folder, 'job')}"
        return sorted(os.listdir(place)) if os.path.isdir(place) else None

    return show


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["--config_file=old/config.json"]),
        ("", ["-init_checkpoint", "old/bert.ckpt", "-model_dir=new"]),
        ("", ["--pretrained_model_dir=old"]),
        ("", ["--warm-start=./old/"]),
        ("CONFIG = 'old/config.json'", []),
        ("flags.DEFINE_string('start', 'old/bert.ckpt', '')", []),
        ("BERT = 'old'\nx = os.path.join(BERT, 'config.json')", []),
        ("FOLDER = 'old'\nx = os.path.join(FOLDER, 'bert.ckpt')", []),
        ("FOLDER = './old'\nx = f'{FOLDER}/vocab.txt'", []),
        ("FOLDER = 'old/'\nx = FOLDER + 'vocab.txt'", []),
        ("x = {'pretrained': 'old'}", []),
        ("def main(init_checkpoint='old'): pass", []),
        ("parser.add_argument('--warm_start_from', default='old')", []),
    ],
)
def test_a_folder_that_the_program_reads_is_in_the_copy(shown, text, words):
    assert shown(text, words) == sorted(["checkpoint", *PUBLISHED])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("", ["--model_dir=old"]),
        ("", ["--model_dir=old", "--vocab=old/vocab.txt"]),
        ("", ["--job-dir", "old"]),
        ("tf.estimator.Estimator(model_fn, 'old', {'vocab': 'old/vocab.txt'})", []),
        ("MODEL_DIR = 'old'\nx = os.path.join(MODEL_DIR, 'vocab.txt')", []),
        ("RunConfig(model_dir='old')\nx = 'old/params.json'", []),
        # The name says nothing, but a training has written there.
        ("path = 'old'\nx = os.path.join(path, 'params.json')", []),
        ("", ["old"]),
        ("export_dir = 'old/export'", []),
        ("x = 'old/checkpoint'", []),
    ],
)
def test_a_folder_that_the_program_trains_in_is_not(shown, text, words):
    assert shown(text, words, OWN) is None


def test_a_run_that_only_its_checkpoint_names_is_input(shown):
    assert shown("", ["--start=old/model.ckpt-9"], OWN) is not None


def test_a_folder_next_to_the_program_is_no_link(tmp_path, monkeypatch):
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "task.py").touch()
    (tmp_path / "bert").mkdir()
    for name in ("checkpoint", *PUBLISHED):
        (tmp_path / "bert" / name).touch()
    monkeypatch.chdir(tmp_path)
    task = program.read("job", ["python", "job/task.py", "--vocab_file=bert/vocab.txt"])
    output = str(tmp_path / "ported")
    mirror.take(task, f"{output}/source", without=output)
    mirror.show(task, f"{output}/source", f"{output}/work", without=output)
    # A saver that writes there must not write into the original.
    assert not os.path.islink(f"{output}/work/bert")
    assert os.path.islink(f"{output}/work/bert/vocab.txt")
