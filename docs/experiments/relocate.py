"""Relocates a model by its own table and compares with the buffers of the vendor's runtime, byte for byte.

    python relocate.py BASE...      reads BASE.rknn, BASE.buffers, BASE.tasks and BASE.weights

The four files are described in crates/rknn/tests/data/README.md, where some lie. Only the container is needed for this:
no toolkit. Prints what differs; the exit status counts the models with differences that nothing explains.
"""
import re
import struct
import sys

from container import Container

SIZES = {0, 1, 3, 4, 5, 6}
CONVERSIONS = {0, 1, 2, 3, 4, 5, 9, 10}


def aligned(n):
    return -n // 64 * -64


def compare(base):
    model = Container(base + ".rknn")
    lines = open(base + ".buffers").read().splitlines()
    buffers = [[int(v, 16) for v in re.findall(r"=(0x\w+)", line)] for line in lines if not line.startswith("submit")]
    submissions = [line for line in lines if line.startswith("submit")]
    tasks, weights = open(base + ".tasks", "rb").read(), open(base + ".weights", "rb").read()
    graph = model.graphs[0]
    tensors = graph.tables(0)

    image, places = bytearray(), []
    for blob in model.blobs:
        image += bytes(aligned(len(image)) - len(image))
        places.append(len(image))
        image += blob
    image += bytes(aligned(len(image)) - len(image))
    programs = places[model.kind(9)[0].scalar(18, "I")]
    start = buffers[1][1] + programs

    inputs, outputs = graph.numbers(2), graph.numbers(3)
    addresses = {}
    for i, tensor in enumerate(tensors):
        if tensor.scalar(2, "B") == 6:
            address = start
        elif tensor.scalar(18, "I"):
            address = buffers[1][1] + places[tensor.scalar(18, "I")]
        elif i in inputs:
            address = buffers[3 + inputs.index(i)][1]
        elif i in outputs:
            address = buffers[3 + len(inputs) + outputs.index(i)][1]
        else:
            address = buffers[2][1] + tensor.scalar(13, "I")
        addresses.setdefault(tensor.string(5), address)

    def put(index, value):
        struct.pack_into("<I", image, programs + 8 * index + 2, value & 0xffffffff)

    count = 0
    for table in graph.tables(7):
        for addend, index in table.vector(1, "II"):
            put(index, addresses[table.string(0)] + addend)
            count += 1
    for index, (word,) in enumerate(struct.iter_unpack("<Q", model.blob_of(model.kind(9)[0]))):
        if (word >> 48, word & 0xffff) == (0x0101, 0x10) and word >> 16 & 0xffffffff:
            put(index, start + (word >> 16))

    patched = set()
    for slot, fields in ((8, SIZES), (9, CONVERSIONS)):
        for table in graph.tables(slot):
            for program in table.tables(1):
                patched |= {program.struct(field, "II")[1] for field in fields}
    differences = [i for i in range(len(image)) if i >= len(weights) or image[i] != weights[i]]
    commands = {(i - programs) // 8 for i in differences}
    unexplained = commands - patched

    ours = b"".join(struct.pack("<8IQ", *record[:8], record[8] + start)
                    for record in struct.iter_unpack("<8IQ", model.blob_of(model.kind(10)[0])))
    # A submission is a run of NPU operators with the same flags; an operator on the host, outputs included, ends it.
    runs, position, open_run = [], 0, False
    for op in graph.tables(1):
        number = op.numbers(10)[0] + op.numbers(11)[0]
        position += number
        if op.scalar(3, "B") == 0:
            open_run = False
        elif number and op.string(1) != "InputOperator":
            flags = 1 if op.numbers(11)[0] else 5
            if open_run and runs[-1][0] == flags:
                runs[-1][2] += number
            else:
                runs.append([flags, position - number, number])
            open_run = True
    theirs = [[int(a, 16), int(b), int(c)]
              for a, b, c in re.findall(r"flags=(0x\w+) .*?subcores=(\d+)\+(\d+)", "\n".join(submissions))]
    sizes = [len(image) == buffers[1][0], model.root.table(19).scalar(1, "Q") == buffers[2][0],
             [tensors[i].scalar(12, "I") for i in inputs + outputs] == [size for size, _ in buffers[3:]]]
    print("%s: %d addresses, %d commands patched for the input, %d unexplained; tasks %s, submissions %s, sizes %s" % (
        base.split("/")[-1], count, len(commands & patched), len(unexplained), "equal" if ours == tasks else "DIFFER",
        "equal" if runs == theirs else "DIFFER", "equal" if all(sizes) else "DIFFER %s" % sizes))
    return bool(unexplained) or ours != tasks or runs != theirs or not all(sizes)


if __name__ == "__main__":
    sys.exit(sum(compare(base) for base in sys.argv[1:]))
