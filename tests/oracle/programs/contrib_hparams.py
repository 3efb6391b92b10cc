"""contrib.training.HParams: parsing, values and errors."""

from tests.oracle import facts

APIS = ("contrib",)


def kind(call, *args, **kwargs):
    found = facts.error(call, *args, **kwargs)
    return found and found[0]


def run(tf, folder):
    hparams = tf.contrib.training.HParams
    values = tf.contrib.training.parse_values

    def fresh(**more):
        return hparams(rate=0.1, units=[64, 32], name="a", flag=True, count=3, **more)

    found = {"values": fresh().values(), "json": fresh().to_json(sort_keys=True)}
    found["repr"] = repr(fresh())
    found["str"] = sorted(str(hparams(a=1, b="x")).split(","))
    proto = fresh(flags=[True, False], texts=["b", "c"], rates=[0.5]).to_proto()
    read = hparams.from_proto(type(proto).FromString(proto.SerializeToString()))
    found["proto"] = {
        "values": read.values(),
        "types": {name: type(value).__name__ for name, value in read.values().items()},
        "kinds": {name: value.WhichOneof("kind") for name, value in proto.hparam.items()},
    }
    found["parsed"] = {}
    for text in (
        "rate=1",
        "rate=.5e-3,units=[1,2,3]",
        "flag=false",
        "flag=0, name=b",
        "flag=maybe",
        "name=",
        "units=5",
        "units[0]=5",
        "count=1.5",
        "count=[1]",
        "other=1",
        "rate=1,rate=2",
        "rate",
        "",
        "units=[]",
        "units=[1 2]",
        "name=a b",
        "flag=2",
    ):
        try:
            found["parsed"][text] = fresh().parse(text).values()
        except Exception as error:
            found["parsed"][text] = type(error).__name__
            found["parsed"][text + "~"] = str(error)
    found["set"] = {}
    for name, value in (
        ("rate", 1),
        ("rate", "1"),
        ("count", 1.0),
        ("count", True),
        ("flag", 1),
        ("name", 1),
        ("units", [1, 2.5]),
        ("units", (1, 2)),
        ("units", []),
        ("missing", 1),
    ):
        each = fresh()
        error = facts.error(each.set_hparam, name, value)
        found["set"]["{}={!r}".format(name, value)] = error[0] if error else each.values()
    each = fresh()
    found["get"] = [each.get("rate"), each.get("nothing"), each.get("nothing", 5)]
    found["get errors"] = [kind(each.get, "rate", "x"), kind(each.get, "units", 1)]
    found["get fits"] = [each.get("rate", 2), each.get("units", [3])]
    found["in"] = ["rate" in each, "nothing" in each]
    each.del_hparam("rate")
    each.del_hparam("never")
    found["deleted"] = each.values()
    found["errors"] = [
        kind(hparams, empty=[]),
        kind(fresh, parse=1),
        kind(each.add_hparam, "name", 1),
        kind(each.parse_json, '{"nothing": 1}'),
        kind(each.parse_json, "{"),
    ]
    found["parse_json"] = fresh().parse_json('{"rate": 2, "units": [7]}').values()
    found["from map"] = fresh().set_from_map({"name": "z"}).values()
    found["none"] = hparams(x=None).parse_json('{"x": 4}').values()
    found["parse_values"] = values("a=1,b[2]=3,b[0]=4,c=[x,y]", {"a": int, "b": float, "c": str})
    found["parse_values"]["b"] = sorted(found["parse_values"]["b"].items())
    found["unknown"] = values("a=1,b=2", {"a": int}, ignore_unknown=True)
    return found
