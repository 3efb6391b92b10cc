"""Tests for attributes that are replaced for a while, in one thread."""

import threading

import pytest

from migrate import patches


class Owner:
    @staticmethod
    def name():
        return "original"

    @property
    def size(self):
        return 1


def marked(original, state, *args):
    return f"{original()} with {state}"


def larger(original, state, self):
    return original(self) + state


def test_only_threads_that_ask_get_the_replacement():
    before = vars(Owner)["name"]
    replaced = patches.Patches(lambda: [(Owner, "name", marked)])
    found = []
    with replaced.active("one"):
        found.append(Owner.name())
        thread = threading.Thread(target=lambda: found.append(Owner.name()))
        thread.start()
        thread.join()
        with replaced.active("two"):
            found.append(Owner.name())
        found.append(Owner.name())

    assert found == ["original with one", "original", "original with two", "original with one"]
    assert vars(Owner)["name"] is before


def test_a_property_and_an_attribute_that_is_missing():
    def missing(original, state):
        return original, state

    replaced = patches.Patches(lambda: [(Owner, "size", larger), (Owner, "other", missing)])
    owner = Owner()
    with replaced.active(5):
        assert owner.size == 6
        assert Owner.other() == (None, 5)
    assert owner.size == 1
    assert not hasattr(Owner, "other")


def test_an_error_ends_the_replacement():
    replaced = patches.Patches(lambda: [(Owner, "name", marked)])
    with pytest.raises(KeyError), replaced.active("one"):
        raise KeyError
    assert Owner.name() == "original"


def test_finds_the_classes_that_define_a_method():
    class Base:
        def run(self):
            pass

    class Inherits(Base):
        pass

    class Own(Inherits):
        def run(self):
            pass

    assert list(patches.defining_classes(Base, "run")) == [Base, Own]


def test_a_failed_installation_changes_nothing():
    before = dict(vars(Owner))
    fails = [True]

    def find():
        yield Owner, "name", marked
        if fails:
            raise KeyError("find")

    replaced = patches.Patches(find)
    with pytest.raises(KeyError, match="find"), replaced.active("one"):
        pass
    assert dict(vars(Owner)) == before
    fails.clear()
    with replaced.active("two"):
        assert Owner.name() == "original with two"
    assert dict(vars(Owner)) == before


def test_an_attribute_that_cannot_be_replaced_changes_nothing():
    before = dict(vars(Owner))
    replaced = patches.Patches(lambda: [(Owner, "name", marked), (int, "real", larger)])
    with pytest.raises(TypeError), replaced.active("one"):
        pass
    assert dict(vars(Owner)) == before
