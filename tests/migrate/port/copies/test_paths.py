"""Tests that outputs move into the copy, and that input data stay in place."""

import pytest

from migrate.port.copies import paths


@pytest.fixture
def root(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "train.csv").touch()
    (tmp_path / "old_model").mkdir()
    (tmp_path / "old_model" / "checkpoint").touch()
    (tmp_path / "bert.ckpt.index").touch()
    (tmp_path / "cwd" / "job").mkdir(parents=True)
    (tmp_path / "cwd" / "job" / "task.py").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("word", "moved"),
    [
        ("--model_dir={0}/new", "--model_dir=outside{0}/new"),
        ("--model_dir={0}/data", "--model_dir=outside{0}/data"),
        ("--model_dir={0}/old_model", "--model_dir=outside{0}/old_model"),
        ("--data_dir={0}/data", "--data_dir={0}/data"),
        ("--train_file={0}/data/train.csv", "--train_file={0}/data/train.csv"),
        ("--train_file=../data/train.csv", "--train_file={0}/data/train.csv"),
        ("--init_checkpoint={0}/bert.ckpt", "--init_checkpoint={0}/bert.ckpt"),
        ("--pretrained_model_dir={0}/data", "--pretrained_model_dir={0}/data"),
        ("--init_checkpoint={0}/old_model", "--init_checkpoint={0}/old_model"),
        ("--bert_output_dir={0}/data", "--bert_output_dir=outside{0}/data"),
        ("{0}/cwd/job/task.py", "job/task.py"),
        ("--model_dir=model", "--model_dir=model"),
        ("--model_dir=../new", "--model_dir=outside{0}/new"),
        ("--model_dir=job/../../new", "--model_dir=outside{0}/new"),
        ("--model_dir=./../new", "--model_dir=outside{0}/new"),
        ("--model_dir=job/../new", "--model_dir=job/../new"),
        ("--train_file=job/../../data/train.csv", "--train_file={0}/data/train.csv"),
        ("--device=/cpu:0", "--device=/cpu:0"),
        ("--train_steps=20", "--train_steps=20"),
    ],
)
def test_a_word_of_the_command_line(root, monkeypatch, word, moved):
    monkeypatch.chdir(root / "cwd")
    found = paths.moved_words([word.format(root)], f"{root}/cwd/job", f"{root}/cwd")
    assert found == [moved.format(root)]


def test_the_value_of_an_option_in_the_next_word(root, monkeypatch):
    monkeypatch.chdir(root / "cwd")
    words = ["job/task.py", "--model-dir", f"{root}/data", "--data", f"{root}/data"]
    found = paths.moved_words(words, f"{root}/cwd/job", f"{root}/cwd")
    assert found == ["job/task.py", "--model-dir", f"outside{root}/data", "--data", f"{root}/data"]


def test_strings_of_a_program(root):
    text = "\n".join(
        [
            "estimator = Estimator(model_fn, '/tmp/a_new_model_of_a_test')",
            f"data = '{root}/data'",
            "with tf.device('/cpu:0'): x = path + '/train.csv'",
            "name = f'/tmp/{x}'",
            "other = 'job/../train.csv'",
        ]
    )
    lines = paths.moved_texts(text, f"{root}/cwd").split("\n")
    assert lines[0] == "estimator = Estimator(model_fn, 'outside/tmp/a_new_model_of_a_test')"
    assert lines[1:] == text.split("\n")[1:]


@pytest.mark.parametrize("path", ["../data/train.csv", "job/../../data/train.csv"])
def test_a_relative_path_of_input_becomes_absolute(root, path):
    assert paths.moved_texts(f"x = '{path}'", f"{root}/cwd") == f"x = '{root}/data/train.csv'"
