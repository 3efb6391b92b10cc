"""Tests of modules that an old protoc has generated."""

import importlib
import sys

import pytest
from google.protobuf import descriptor_pb2

from legacy.shim import finder, protocol_buffers

# A module as protoc 3.8 generated it, without most descriptors.
OLD = """
import sys
_b=sys.version_info[0]<3 and (lambda x:x) or (lambda x:x.encode('latin1'))
from google.protobuf import descriptor as _descriptor
from google.protobuf import service_reflection
{imports}
DESCRIPTOR = _descriptor.FileDescriptor(
  name={name!r},
  syntax='proto2',
  serialized_pb={serialized}
  , dependencies=[])

_KIND = _descriptor.EnumDescriptor(name='Kind', full_name='Kind', file=DESCRIPTOR, values=[
    _descriptor.EnumValueDescriptor(name='BOX', index=0, number=1)])
KIND_BOX = 7
Shape = _reflection.GeneratedProtocolMessageType('Shape', (_message.Message,), dict(
  DESCRIPTOR = _SHAPE, __module__ = '{module}'))
"""


def description(module):
    """Returns the serialized description of a file with a message that has a default value."""
    file = descriptor_pb2.FileDescriptorProto(name=f"{module}.proto", package=module)
    kind = file.enum_type.add(name="Kind")
    kind.value.add(name="BOX", number=1)
    message = file.message_type.add(name="Shape")
    message.field.add(name="size", number=1, type="TYPE_FLOAT", label="LABEL_OPTIONAL")
    message.field[0].default_value = "0.5"
    message.nested_type.add(name="Corner")
    return file.SerializeToString()


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Returns a function that writes a generated module, and imports through legacy's finder."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", [finder.Finder("v1", "ours"), *sys.meta_path])

    def write(module, as_text, imports=""):
        data = description(module)
        serialized = f"_b({data.decode('latin1')!r})" if as_text else repr(data)
        names = {"name": f"{module}.proto", "serialized": serialized, "module": module}
        text = OLD.format(imports=imports, **names)
        (tmp_path / f"{module}.py").write_text(text, encoding="utf-8")

    return write


@pytest.mark.parametrize("as_text", [True, False])
def test_an_old_module_is_loaded(written, as_text):
    name = f"shapes_{as_text}_pb2"
    written(name, as_text)
    module = importlib.import_module(name)
    assert module.Shape().size == 0.5
    assert module.Shape.FromString(module.Shape(size=2).SerializeToString()).size == 2
    assert (module.BOX, module.Kind.Name(1)) == (1, "BOX")
    assert module.Shape.Corner() == module.Shape.Corner()
    assert module.DESCRIPTOR.message_types_by_name["Shape"] is module.Shape.DESCRIPTOR


def test_imports_of_other_modules_are_kept(written):
    written("first_pb2", False)
    written("second_pb2", False, "import first_pb2 as first__pb2\nfrom first_pb2 import Shape as A")
    module = importlib.import_module("second_pb2")
    assert module.first__pb2.Shape is module.A
    assert module.Shape is not module.A


def test_other_modules_are_left_to_other_finders(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "new_pb2.py").write_text("DESCRIPTOR = pool.AddSerializedFile(b'')")
    assert protocol_buffers.find_spec("new_pb2", None) is None
    assert protocol_buffers.find_spec("no_such_pb2", None) is None
    assert not protocol_buffers.is_candidate("tensorflow.core.framework.types_pb2")
