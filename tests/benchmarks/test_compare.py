"""Tests for the flags of the comparison. tests/cluster/test_compare.py runs it."""

import pytest

from benchmarks import compare
from modern.process import cli
from tests.modern.flag_values import parsed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ways=single,legacy,mine"], "there is no way 'mine'"),
        (["--ways=single,keras_single"], "there is no way 'keras_single'"),
        (["--ways=legacy"], "--ways=legacy lacks single"),
        (["--steps=30", "--warmup_steps=30"], "leaves nothing of --steps=30"),
        (["--seeds=5", "--max_seeds=4"], "--max_seeds=4 is less than --seeds=5"),
        (["--model_fn=job:f", "--input_fn=job:g"], "needs --eval_input_fn"),
        (["--keras_model=port:f", "--input_fn=job:g"], "needs --model_fn"),
        (["--ways=single,keras3_single"], "there is no way 'keras3_single'"),
        (
            ["--model_fn=a:f", "--input_fn=a:g", "--eval_input_fn=a:g", "--keras=3"],
            "--keras=3 needs --keras_model=package.module:function",
        ),
    ],
)
def test_mistakes_are_found_before_anything_is_written(arguments, message, tmp_path):
    output = tmp_path / "report"
    flags = [f"--output_dir={output}", *arguments]
    with parsed(compare.define_flags, *flags), pytest.raises(cli.UsageError, match=message):
        compare.main([])
    assert not output.exists()


def test_an_earlier_report_is_kept(tmp_path):
    (tmp_path / "report.json").write_text("mine")
    with (
        parsed(compare.define_flags, f"--output_dir={tmp_path}"),
        pytest.raises(cli.UsageError, match="is there already"),
    ):
        compare.main([])
    assert (tmp_path / "report.json").read_text() == "mine"


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path):
    (tmp_path / "file").touch()
    with (
        parsed(compare.define_flags, f"--output_dir={tmp_path}/file/report"),
        pytest.raises(cli.UsageError, match=r"file/report cannot be written \(Not a directory\)"),
    ):
        compare.main([])
