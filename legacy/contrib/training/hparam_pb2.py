"""HParamDef: hyperparameters as a protocol buffer, as TensorFlow 1 wrote it in collections.

>>> made = HParamDef()
>>> made.hparam["rate"].float_value = 0.5
>>> HParamDef.FromString(made.SerializeToString()).hparam["rate"].float_value
0.5

TensorFlow no longer has this message. It is defined here with its original field numbers.
"""

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_Field = descriptor_pb2.FieldDescriptorProto
_NAME = "tensorflow.HParamDef"
# For each kind: its protocol buffer type, and the field numbers of a single value and of a list.
_KINDS = {
    "int64": (_Field.TYPE_INT64, 1, 4),
    "float": (_Field.TYPE_FLOAT, 2, 5),
    "bytes": (_Field.TYPE_BYTES, 3, 6),
    "bool": (_Field.TYPE_BOOL, 7, 8),
}


def _message() -> type:
    file = descriptor_pb2.FileDescriptorProto(
        name="legacy/contrib/training/hparam.proto", package="tensorflow", syntax="proto3"
    )
    message = file.message_type.add(name="HParamDef")
    value = message.nested_type.add(name="HParamType")
    value.oneof_decl.add(name="kind")
    for kind, (number_type, single, several) in _KINDS.items():
        list_name = f"{kind.title()}List"
        of_list = message.nested_type.add(name=list_name)
        of_list.field.add(name="value", number=1, label=_Field.LABEL_REPEATED, type=number_type)
        value.field.add(
            name=f"{kind}_value",
            number=single,
            label=_Field.LABEL_OPTIONAL,
            type=number_type,
            oneof_index=0,
        )
        value.field.add(
            name=f"{kind}_list",
            number=several,
            label=_Field.LABEL_OPTIONAL,
            type=_Field.TYPE_MESSAGE,
            type_name=f".{_NAME}.{list_name}",
            oneof_index=0,
        )
    entry = message.nested_type.add(name="HparamEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, label=_Field.LABEL_OPTIONAL, type=_Field.TYPE_STRING)
    for owner, name, number, label, target in (
        (entry, "value", 2, _Field.LABEL_OPTIONAL, "HParamType"),
        (message, "hparam", 1, _Field.LABEL_REPEATED, "HparamEntry"),
    ):
        owner.field.add(
            name=name,
            number=number,
            label=label,
            type=_Field.TYPE_MESSAGE,
            type_name=f".{_NAME}.{target}",
        )
    # A separate pool: the default pool may already define the name, and rejects duplicates.
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(_NAME))


HParamDef = _message()
