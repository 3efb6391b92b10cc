"""Test of a dataset of texts."""

from legacy.contrib.learn import datasets


def test_dbpedia_from_files_that_are_there(tmp_path, monkeypatch):
    monkeypatch.setenv("TF_EXP_BASE_DIR", str(tmp_path))
    folder = tmp_path / "dbpedia_data" / "dbpedia_csv"
    folder.mkdir(parents=True)
    for name, count in (("train.csv", 2500), ("test.csv", 1200)):
        lines = [f'{i % 14 + 1},"T{i}","Text, {i}"\n' for i in range(count)]
        (folder / name).write_text("".join(lines))
    data = datasets.load_dataset("dbpedia", size="large")
    assert (data.train.data.shape, data.test.data.shape) == ((2500, 2), (1200, 2))
    assert data.validation is None
    small = datasets.load_dataset("dbpedia")
    assert small.train.data.tolist()[1] == ["T1000", "Text, 1000"]
    assert (small.train.target.tolist(), small.train.target.dtype) == ([1, 7, 13], "int32")
    fake = datasets.load_dataset("dbpedia", test_with_fake_data=True)
    assert (fake.train.data.shape, fake.test.target.tolist()) == ((3, 2), [2])
