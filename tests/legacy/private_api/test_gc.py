"""Tests of the rules that select the exports to keep."""

from legacy.private_api import gc


def paths(*versions):
    return [gc.Path("/exports", version) for version in versions]


def test_rules():
    assert gc.largest_export_versions(2)(paths(10, 8, 9)) == paths(9, 10)
    assert gc.largest_export_versions(2)(paths(0, 3)) == paths(0, 3)
    assert gc.largest_export_versions(2)(paths(0, None)) == paths(0)
    assert gc.largest_export_versions(0)(paths(0, 3)) == []
    assert gc.mod_export_version(3)(paths(4, 5, 6, 9)) == paths(6, 9)
    every = gc.one_of_every_n_export_versions(3)
    assert every(paths(0, 1, 3, 4, 6, 7, 20)) == paths(3, 6, 7, 20)
    assert every(paths(0, 4, None)) == paths(0, 4)
    both = gc.union(gc.largest_export_versions(1), gc.mod_export_version(4))
    assert both(iter(paths(0, 3, 4, 5))) == paths(0, 4, 5)
    assert gc.negation(both)(iter(paths(0, 3, 4, 5))) == paths(3)


def test_paths(tmp_path):
    for name in ("7", "12", "other"):
        (tmp_path / name).mkdir()

    def parse(path):
        name = path.path.rpartition("/")[2]
        return path._replace(export_version=int(name)) if name.isdigit() else None

    expected = [gc.Path(str(tmp_path / "12"), 12), gc.Path(str(tmp_path / "7"), 7)]
    assert gc.get_paths(str(tmp_path), parse) == expected
    assert gc.get_paths(bytes(tmp_path), parse) == expected
