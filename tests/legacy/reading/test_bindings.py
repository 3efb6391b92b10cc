"""Tests of the values of a program's names."""

from legacy.reading import bindings


def test_a_branch_that_binds_tensorflow_wins_and_the_others_are_known():
    scopes = bindings.Scopes()
    scopes.branches(
        lambda: scopes.bind("tf", "tensorflow"),
        lambda: scopes.bind("tf", "tensorflow.compat.v1"),
        lambda: scopes.bind("tf", None),
    )
    assert scopes.lookup("tf") == "tensorflow.compat.v1"
    assert scopes.candidates("tf") == {"tensorflow", "tensorflow.compat.v1"}
    with scopes.assuming("tf", "tensorflow"):
        assert scopes.lookup("tf") == "tensorflow"
    assert scopes.lookup("tf") == "tensorflow.compat.v1"


def test_only_the_branch_that_runs_binds():
    scopes = bindings.Scopes()
    branches = [lambda: scopes.bind("a", "tensorflow"), lambda: scopes.bind("b", "tensorflow")]
    scopes.branches(*branches, branch_index=1)
    assert (scopes.lookup("a"), scopes.lookup("b")) == (None, "tensorflow")


def test_names_of_star_imports():
    scopes = bindings.Scopes()
    scopes.bind("mine", None)
    scopes.bind_star("@utils")
    scopes.bind_star("tensorflow.layers")
    assert scopes.lookup("dense") == "tensorflow.layers|@utils.*.dense"
    assert bindings.alternatives("tensorflow.layers|@utils.*.dense") == [
        "tensorflow.layers.*.dense",
        "@utils.*.dense",
    ]
    assert (scopes.lookup("mine"), scopes.lookup("print")) == (None, None)
    assert scopes.exported == {"mine": "", "*0": "@utils", "*1": "tensorflow.layers"}


def test_a_global_name_is_the_modules():
    scopes = bindings.Scopes()
    with scopes.inside("function", {}):
        scopes.declare_global(["tf"])
        scopes.bind("tf", "tensorflow")
        scopes.bind("own", "tensorflow")
    assert (scopes.lookup("tf"), scopes.lookup("own")) == ("tensorflow", None)
