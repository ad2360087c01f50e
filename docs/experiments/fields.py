"""Shows what each field of an .rknn means: change one thing about a network, see which field follows.

    python fields.py                          all experiments
    python fields.py shapes targets           some of them

Every line printed is an observation; every claim of docs/rknn-format.md that names this script is an assertion here.
Needs what networks.py needs. The assertions hold for toolkits 2.2.0, 2.3.0, 2.3.2 and 2.5.0.
"""
import json
import os
import struct
import sys
import tempfile

import numpy as np
from onnx import helper

import networks
from container import Container

FOLDER = tempfile.mkdtemp()


def build(name, network, **options):
    path = os.path.join(FOLDER, name + ".rknn")
    networks.compile(network, path, **options)
    return Container(path)


def show(what, *states):
    print("   ", what + ":", " -> ".join(map(str, states)))


def header():
    """Magic, version, FlatBuffer length; 64 bytes; FlatBuffer with identifier RKNN; JSON length; JSON; end of file."""
    model = build("header", networks.conv())
    assert model.file[:8] == b"RKNN\0\0\0\0" and model.version == 6 and model.file[24:64] == bytes(40)
    assert model.file[68:72] == b"RKNN" and model.rest == 0
    assert json.loads(model.json)["target_platform"] == ["rk3588"]
    show("version, FlatBuffer length, JSON length, bytes after it", model.version, model.length, len(model.json), model.rest)


def texts():
    """Root slots 1, 7, 8, 9, 12, 13: what was compiled, by what, for what."""
    for chip in ("rk3588", "rk3576", "rk3568"):
        model = build("texts", networks.conv(), target=chip)
        assert model.root.string(8) == chip and json.loads(model.json)["target_platform"] == [chip]
        assert model.root.string(1).startswith("RKNPU") and model.root.string(9) == "ONNX"
        show("root[1], root[8], JSON target_platform", model.root.string(1), model.root.string(8),
             json.loads(model.json)["target_platform"])
    assert model.root.string(7).startswith(json.loads(model.json)["version"])
    assert list(json.loads(model.root.string(12))) == ["x"] and list(json.loads(model.root.string(13))) == ["y"]


def attributes():
    """Root slot 3: a Python dictionary; mean and std given to the compiler appear in it and in graph slot 4, one table
    per input; the weights stay as they are."""
    models = build("plain", networks.rgb()), build("dressed", networks.rgb(), **networks.NETWORKS["rgb_mean"][1])
    plain, dressed = (eval(model.root.string(3))["attrs"]["x"] for model in models)
    for slot, name, expected in ((0, "mean", [1, 2, 3]), (1, "std", [4, 5, 6])):
        states = [model.graphs[0].tables(4)[0].numbers(slot, "f") for model in models]
        show("graph[4], slot %d %s" % (slot, name), *states)
        assert states[1][:3] == expected
    assert len(build("two", networks.two_inputs()).graphs[0].tables(4)) == 2
    weights = [model.blob_of(model.tensor("w")) for model in models]
    show("weights unchanged", weights[0] == weights[1])
    assert weights[0] == weights[1]
    for key, value in (("mean", [1, 2, 3]), ("std", [4, 5, 6]), ("shape", [1, 3, 10, 18]), ("idx", 0)):
        show("attrs.x." + key, plain[key], dressed[key])
        assert [float(v) for v in np.ravel(dressed[key])] == [float(v) for v in np.ravel(value)]


def shapes():
    """Tensor slots 3 (device shape), 4 (shape), 12 (bytes); one thing changed at a time."""
    for channels, size in ((16, 14), (24, 14), (16, 9)):
        x = build("shapes", networks.relu(channels, size)).tensor("x")
        native, shape, total = x.numbers(3), x.numbers(4), x.scalar(12, "I")
        show("channels %d, size %d: tensor[3], [4], [12]" % (channels, size), native, shape, total)
        assert shape == [1, channels, size, size] and native == [1, channels // 8, size, size, 8]
        assert total >= 2 * channels * size * size and total % 64 == 0


def row_padding():
    """Tensor slot 12 of a picture input counts padded rows, slot 20 the value that fills the gap."""
    for width in (16, 18, 32):
        x = build("row_padding", networks.rgb(width=width), quantize=True).tensor("x")
        fill, zero = x.numbers(20, "i"), x.numbers(11, "i")
        row = x.scalar(12, "I") / 10 / 3
        show("width %d: tensor[12] / rows / channels, tensor[20], tensor[11]" % width, row, fill, zero)
        assert fill in ([], zero) and (row - width < 17)


def names_and_kinds():
    """Tensor slot 5 name, slot 2: 1 input, 2 output, 3 intermediate, 4 weight, 9 programs, 10 tasks; slot 1 layout."""
    model = build("kinds", networks.two_inputs())
    kinds = {t.string(5): t.scalar(2, "B") for t in model.graphs[0].tables(0)}
    show("kind by name", kinds)
    assert kinds == {"": 0, "a": 1, "c": 1, "s": 3, "y": 2, "z": 2, "regcmd": 9, "task": 10}
    model = build("kinds", networks.conv())
    show("conv", {t.string(5): (t.scalar(2, "B"), hex(t.scalar(1, "B"))) for t in model.graphs[0].tables(0)})
    assert model.tensor("w").scalar(2, "B") == model.tensor("b").scalar(2, "B") == 4
    assert model.tensor("w").scalar(1, "B") == 0x41 and model.tensor("x").scalar(1, "B") == 0x40
    model = build("kinds", networks.silu())
    lut = model.kind(6)
    show("silu: tensors of kind 6", [t.string(5) for t in lut])
    assert len(lut) == 1 and lut[0].string(5) in model.graphs[0].tables(1)[1].string(1)
    model = build("kinds", networks.erf())
    show("erf (no NPU work): layout of x, tensors of kind 9", model.tensor("x").scalar(1, "B"), len(model.kind(9)))
    assert model.tensor("x").scalar(1, "B") == 2 and not model.kind(9)


def data_types():
    """Tensor slot 0 follows the number format (numbers of ONNX TensorProto); 6, 7, 10, 11 appear with quantisation."""
    plain, quantized = build("f", networks.relu()), build("q", networks.relu(), quantize=True)
    for model, expected in ((plain, 10), (quantized, 3)):
        x = model.tensor("x")
        show("tensor[0], [6], [7], [8], [9], [10], [11]", x.scalar(0, "B"), x.string(6), x.string(7), x.numbers(8, "f"),
             x.numbers(9, "f"), x.numbers(10, "f"), x.numbers(11, "i"))
        assert x.scalar(0, "B") == expected
    low, high, scale, zero = (quantized.tensor("x").numbers(s, c)[0] for s, c in ((8, "f"), (9, "f"), (10, "f"), (11, "i")))
    assert abs((high - low) / 255 - scale) < 1e-6 and abs((-128 - zero) * scale - low) < scale
    assert quantized.tensor("x").string(7) == "int8" and plain.tensor("x").string(7) == ""
    bias = build("b", networks.conv(), quantize=True).tensor("b")
    assert bias.scalar(0, "B") == 6 and build("b", networks.conv()).tensor("b").scalar(0, "B") == 1
    show("bias, fp16 and int8 network: tensor[0]", 1, 6)


def blobs():
    """Tensor slot 18 indexes the root's blob vector (20); the values of a bias are there in clear."""
    model = build("blobs", networks.conv())
    bias = np.frombuffer(model.blob_of(model.tensor("b")), np.float32)[:16]
    given = np.frombuffer(networks.values("b", 16).raw_data, np.float32)
    assert np.allclose(bias, given, rtol=1e-3) and len(model.blobs[0]) == 0
    show("bias in the network, bias in blob %d" % model.tensor("b").scalar(18, "I"), given[:3], bias[:3])
    weights = np.frombuffer(model.blob_of(model.tensor("w")), np.float16).astype(np.float32)
    given = np.frombuffer(networks.values("w", 16, 16, 3, 3).raw_data, np.float32)
    assert np.array_equal(np.sort(weights), np.sort(given.astype(np.float16).astype(np.float32)))
    for blob in model.root.tables(20):
        assert [slot for slot in range(len(blob.offsets)) if blob.at(slot)] in ([], [0])
    show("slots used by blob entries", "none (blob 0) or 0")


def operators():
    """Operator slots 1, 2, 4, 5: type, name, argument and result tensors."""
    model = build("operators", networks.two_inputs())
    tensors = [t.string(5) for t in model.graphs[0].tables(0)]
    edges = [(op.string(1), [tensors[i] for i in op.numbers(4)], [tensors[i] for i in op.numbers(5)])
             for op in model.graphs[0].tables(1)]
    for edge in edges:
        show("operator", edge)
    assert ("Add", ["a", "c"], ["s"]) in edges and ("Relu", ["s"], ["y"]) in edges
    assert ("MaxPool", ["s"], ["z"]) in edges and ("InputOperator", [], ["a"]) in edges
    assert ("OutputOperator", ["y"], []) in edges
    assert [tensors[i] for i in model.graphs[0].numbers(2)] == ["a", "c"]
    assert [tensors[i] for i in model.graphs[0].numbers(3)] == ["y", "z"]


def targets():
    """Operator slot 3: 2 on the NPU, 0 on the host. An operator forced to the host by op_target loses its tasks."""
    network = networks.two_inputs()
    npu = build("npu", network)
    host = build("host", network, op_target={"y": "cpu"})
    for model, target, some in ((npu, 2, True), (host, 0, False)):
        op = next(op for op in model.graphs[0].tables(1) if op.string(1) == "Relu")
        show("Relu: operator[3], [10]", op.scalar(3, "B"), op.numbers(10))
        assert op.scalar(3, "B") == target and any(op.numbers(10)) == some


def parameters():
    """Operator slots 7 and 8: a union whose table holds the ONNX attributes; for a convolution slot 4 is the padding."""
    for pads in ([1, 1, 1, 1], [2, 2, 2, 2]):
        network = networks.conv()
        network.graph.node[0].attribute[0].ints[:] = pads
        op = build("parameters", network).graphs[0].tables(1)[1]
        show("pads %s: operator[7], slot 4 of operator[8]" % pads, op.scalar(7, "B"), op.table(8).numbers(4))
        assert op.scalar(7, "B") == 1 and op.table(8).numbers(4) == pads


def tasks():
    """The task list is a vector of 40-byte records; operator slots 10 and 11 sum to its length; graph slot 10 has the
    starts of the regions; record field 1 is the operator's index; the address counts bytes in the program blob."""
    for name in ("conv", "relu", "silu", "two_inputs", "rgb_int8"):
        make, options = networks.NETWORKS[name]
        model = build("tasks", make(), **options)
        graph, (programs,), (listing,) = model.graphs[0], model.kind(9), model.kind(10)
        records = list(struct.iter_unpack("<8IQ", model.blob_of(listing)))
        regions = [[op.numbers(10)[r] + op.numbers(11)[r] for op in graph.tables(1)] for r in range(6)]
        owners = [i for region in regions for i, count in enumerate(region) for _ in range(count)]
        starts = [sum(map(sum, regions[:r])) for r in range(6)]
        show("%s: records, sum of operator[10] and [11], graph[10]" % name, len(records), len(owners), graph.numbers(10))
        assert [r[1] for r in records] == owners
        assert graph.numbers(10) == [0, 0, 0, starts[1], starts[3]]
        for record in records:
            end = record[8] + 8 * (record[6] + 4)
            assert record[8] % 64 == 0 and end <= len(model.blob_of(programs))
            last, = struct.unpack_from("<Q", model.blob_of(programs), end - 8)
            assert last >> 48 == 0x81 and last & 0xffff == 8 and (last >> 16) & 0xff == record[2]


def relocations():
    """Graph slot 7: every command that writes an address register is listed exactly once, with its template value, under
    the name of a tensor; only PC_BASE_ADDRESS (the link to the next program) is not."""
    address = {(0x0201, 0x1070), (0x0201, 0x1110), (0x1001, 0x4020), (0x2001, 0x5018), (0x2001, 0x5020), (0x2001, 0x502c),
               (0x2001, 0x5038), (0x4001, 0x6070), (0x8001, 0x701c)}
    for name in ("conv", "relu", "silu", "two_inputs", "rgb_int8"):
        make, options = networks.NETWORKS[name]
        model = build("relocations", make(), **options)
        graph = model.graphs[0]
        commands = [c for c, in struct.iter_unpack("<Q", model.blob_of(model.kind(9)[0]))]
        names = {t.string(5) for t in graph.tables(0)}
        seen, registers = [], set()
        for table in graph.tables(7):
            places, owners = table.vector(1, "II"), table.vector(2, "II")
            assert table.string(0) in names and len(owners) in (0, len(places))
            assert bool(owners) != (model.tensor(table.string(0)).scalar(2, "B") == 6)
            for addend, index in places:
                assert commands[index] >> 16 & 0xffffffff == addend
                registers.add((commands[index] >> 48, commands[index] & 0xffff))
                seen.append(index)
        assert registers <= address and len(seen) == len(set(seen))
        loose = [hex(c & 0xffff) for i, c in enumerate(commands)
                 if (c >> 48, c & 0xffff) in address and i not in seen and c >> 16 & 0xffffffff]
        show("%s: relocations, registers, address registers not listed that are not 0" % name, len(seen),
             sorted(hex(r) for _, r in registers), loose)
        assert not loose


def input_patches():
    """Graph slots 8 and 9: per input and program, commands with their template value, one slot per register."""
    sizes = {0: 0x1020, 1: 0x100c, 3: 0x107c, 4: 0x1080, 5: 0x1070, 6: 0x1044}
    conversions = {0: 0x104c, 1: 0x1050, 2: 0x1054, 3: 0x1058, 4: 0x105c, 5: 0x1180, 9: 0x301c, 10: 0x1038}
    for name in ("conv", "rgb_int8"):
        make, options = networks.NETWORKS[name]
        model = build("patches", make(), **options)
        commands = [c for c, in struct.iter_unpack("<Q", model.blob_of(model.kind(9)[0]))]
        for slot, registers in ((8, sizes), (9, conversions)):
            for table in model.graphs[0].tables(slot):
                for program in table.tables(1):
                    for field, register in registers.items():
                        value, index = program.struct(field, "II")
                        assert commands[index] & 0xffff == register and commands[index] >> 16 & 0xffffffff == value
                    if slot == 8:
                        row, (address, _) = program.scalar(8, "I"), program.struct(5, "II")
                        show("%s, input %s: first row, address" % (name, table.string(0)), row, address)
                        assert (row == 0) == (address == 0)


def memory():
    """Root slot 19: bytes of weights (kinds 4 and 5, each blob rounded up to 64) and of the activation buffer, which
    covers every tensor that is not a constant."""
    for name in ("conv", "relu", "silu", "two_inputs", "rgb_int8"):
        make, options = networks.NETWORKS[name]
        model = build("memory", make(), **options)
        table = model.root.table(19)
        weights = sum(-len(model.blob_of(t)) // 64 * -64 for kind in (4, 5) for t in model.kind(kind))
        end = max(t.scalar(13, "I") + t.scalar(12, "I") for kind in (1, 2, 3) for t in model.kind(kind))
        show("%s: memory[0], sum of kinds 4 and 5, memory[1], last byte planned" % name, table.scalar(0, "Q"), weights,
             table.scalar(1, "Q"), end)
        assert table.scalar(0, "Q") == weights and table.scalar(1, "Q") >= end


def graphs():
    """Root slot 16 and the number of graphs: one graph, with programs of its own, per shape."""
    make, options = networks.NETWORKS["dynamic"]
    model = build("graphs", make(), **options)
    shapes = [model.tensor("x", i).numbers(4) for i in range(len(model.graphs))]
    show("root[16], shapes of x per graph", model.root.string(16), shapes)
    assert model.root.string(16) == "dynamic_shape" and len(shapes) == 2
    assert len({model.kind(9, i)[0].scalar(18, "I") for i in range(2)}) == 2
    assert build("static", networks.relu()).root.string(16) == "static_shape"


EXPERIMENTS = [header, texts, attributes, shapes, row_padding, names_and_kinds, data_types, blobs, operators, targets,
               parameters, tasks, relocations, input_patches, memory, graphs]

if __name__ == "__main__":
    wanted, failed = sys.argv[1:], []
    for experiment in EXPERIMENTS:
        if wanted and experiment.__name__ not in wanted:
            continue
        print(experiment.__name__ + ":", " ".join(experiment.__doc__.split()))
        try:
            experiment()
        except AssertionError:
            import traceback
            traceback.print_exc()
            failed.append(experiment.__name__)
    print("failed: " + ", ".join(failed) if failed else "all assertions hold")
    sys.exit(bool(failed))
