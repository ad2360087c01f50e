"""A reader of .rknn files by slot number: no schema, no checks, for experiments only.

    python container.py FILE.rknn             every slot of every table
    python container.py A.rknn B.rknn         the slots that differ between two files
"""
import struct
import sys

SKIP_BYTES = 64


class Container:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.file = file.read()
        self.version, self.length = struct.unpack_from("<QQ", self.file, 8)
        self.start = 64 if self.version > 1 else 24
        self.data = self.file[self.start:self.start + self.length]
        size, = struct.unpack_from("<Q", self.file, self.start + self.length)
        self.json = self.file[self.start + self.length + 8:][:size]
        self.rest = len(self.file) - self.start - self.length - 8 - size
        self.root = Table(self, self.u32(0))
        self.graphs = self.root.tables(2)
        self.blobs = [blob.bytes(0) for blob in self.root.tables(20 if self.version > 5 else 4)]

    def u32(self, position):
        return struct.unpack_from("<I", self.data, position)[0]

    def tensor(self, name, graph=0):
        return next(t for t in self.graphs[graph].tables(0) if t.string(5) == name)

    def kind(self, kind, graph=0):
        return [t for t in self.graphs[graph].tables(0) if t.scalar(2, "B") == kind]

    def blob_of(self, tensor):
        return self.blobs[tensor.scalar(18, "I")]


class Table:
    def __init__(self, container, position):
        self.container, self.position = container, position
        vtable = position - struct.unpack_from("<i", container.data, position)[0]
        size, = struct.unpack_from("<H", container.data, vtable)
        self.offsets = struct.unpack_from("<%dH" % (size // 2 - 2), container.data, vtable + 4)

    def at(self, slot):
        offset = self.offsets[slot] if slot < len(self.offsets) else 0
        return self.position + offset if offset else None

    def scalar(self, slot, code, default=0):
        at = self.at(slot)
        return default if at is None else struct.unpack_from("<" + code, self.container.data, at)[0]

    def struct(self, slot, code):
        at = self.at(slot)
        return None if at is None else struct.unpack_from("<" + code, self.container.data, at)

    def vector(self, slot, code="I"):
        at = self.at(slot)
        if at is None:
            return []
        at += self.container.u32(at)
        return list(struct.iter_unpack("<" + code, self.container.data[at + 4:][:self.container.u32(at) * struct.calcsize("<" + code)]))

    def numbers(self, slot, code="I"):
        return [n for n, in self.vector(slot, code)]

    def bytes(self, slot):
        return bytes(self.numbers(slot, "B"))

    def string(self, slot):
        return self.bytes(slot).decode()

    def table(self, slot):
        at = self.at(slot)
        return None if at is None else Table(self.container, at + self.container.u32(at))

    def tables(self, slot):
        at = self.at(slot)
        if at is None:
            return []
        at += self.container.u32(at)
        places = range(at + 4, at + 4 + 4 * self.container.u32(at), 4)
        return [Table(self.container, place + self.container.u32(place)) for place in places]


# Slot, name, how to read it. Only what docs/rknn-format.md describes.
ROOT = [(0, "schema", "I"), (1, "format", "s"), (7, "compiler", "s"), (8, "runtime", "s"), (9, "source", "s"),
        (12, "input_json", "s"), (13, "output_json", "s"), (16, "shape_mode", "s")]
TENSOR = [(5, "name", "s"), (0, "data_type", "B"), (1, "layout", "B"), (2, "kind", "B"), (3, "native_shape", "vI"),
          (4, "shape", "vI"), (6, "quantization", "s"), (7, "quantized_type", "s"), (8, "minimum", "vf"),
          (9, "maximum", "vf"), (10, "scale", "vf"), (11, "zero_point", "vi"), (12, "size", "I"), (13, "offset", "I"),
          (18, "blob", "I"), (20, "fill", "vi")]
OPERATOR = [(1, "type", "s"), (2, "name", "s"), (3, "target", "B"), (4, "inputs", "vI"), (5, "outputs", "vI"),
            (7, "parameters_type", "B"), (10, "tasks", "vI"), (11, "lut_tasks", "vI"), (12, "sizes", "vI"),
            (13, "unknown_13", "B")]


def read(table, slot, how):
    if how == "s":
        return table.string(slot)
    return table.numbers(slot, how[1]) if how[0] == "v" else table.scalar(slot, how)


def describe(container):
    """Place -> value, for all known slots."""
    values = {"version": container.version}
    for slot, name, how in ROOT:
        values["root[%d] %s" % (slot, name)] = read(container.root, slot, how)
    values["root[3] attributes"] = container.root.string(3)
    memory = container.root.table(19)
    values["memory[0] weights"], values["memory[1] activations"] = memory.scalar(0, "Q"), memory.scalar(1, "Q")
    for g, graph in enumerate(container.graphs):
        place = "graph %d " % g
        values[place + "[2] inputs"], values[place + "[3] outputs"] = graph.numbers(2), graph.numbers(3)
        values[place + "[10] regions"] = graph.numbers(10)
        for slot, kind, names in ((0, "tensor", TENSOR), (1, "operator", OPERATOR)):
            for i, table in enumerate(graph.tables(slot)):
                for field, name, how in names:
                    values["%s%s %d [%d] %s" % (place, kind, i, field, name)] = read(table, field, how)
        for table in graph.tables(7):
            values["%srelocations %s" % (place, table.string(0))] = (table.vector(1, "II"), table.vector(2, "II"))
        for table in graph.tables(12):
            values["%soutput_ready %s" % (place, table.string(0))] = table.scalar(1, "I")
    for i, blob in enumerate(container.blobs):
        values["blob %d length" % i] = len(blob)
    return values


if __name__ == "__main__":
    files = [describe(Container(path)) for path in sys.argv[1:]]
    if len(files) == 1:
        for place, value in files[0].items():
            print(place, repr(value))
    else:
        for place in files[0] | files[1]:
            before, after = files[0].get(place), files[1].get(place)
            if before != after:
                print(place, repr(before), "->", repr(after))
