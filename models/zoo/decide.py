"""From a network's outputs to its decision, and whether two decisions are the same. README.md states these rules in words."""

import numpy as np

THRESHOLD = 0.3  # of a pixel to be text
MINIMUM_PIXELS = 10  # of a component to be a box
MINIMUM_MEAN = 0.5  # of a component's probabilities to be a box


def text(scores, characters):
    """Greedy CTC of [1, steps, classes]: class 0 is blank, class i character i counted from 1, the class after the last a space."""
    classes = ["", *characters, " "]
    best = scores.reshape(scores.shape[-2:]).argmax(-1)
    return "".join(classes[c] for i, c in enumerate(best) if i == 0 or c != best[i - 1])


def boxes(probabilities):
    """[left, top, right, bottom] (right and bottom one past the last pixel) of 8-connected regions, sorted by top, left, bottom, right."""
    plane = probabilities.reshape(probabilities.shape[-2:])
    waiting = plane > np.float32(THRESHOLD)
    found = []
    for start in zip(*np.nonzero(waiting)):
        if not waiting[start]:
            continue
        waiting[start] = False
        pixels = [start]
        for y, x in pixels:  # grows while we walk it
            around = slice(max(0, y - 1), y + 2), slice(max(0, x - 1), x + 2)
            for dy, dx in zip(*np.nonzero(waiting[around])):
                pixels.append((around[0].start + dy, around[1].start + dx))
            waiting[around] = False
        rows, columns = np.array(pixels).T
        if len(pixels) >= MINIMUM_PIXELS and plane[rows, columns].mean(dtype=np.float64) >= MINIMUM_MEAN:
            found.append([int(n) for n in (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)])
    return sorted(found, key=lambda b: (b[1], b[0], b[3], b[2]))


def cells(pairs):
    """[column, row] of all places of a [1, columns, rows, 2] map where class 1 beats class 0, by column, then row."""
    return [[int(c), int(r)] for c, r in zip(*np.nonzero(pairs[0, ..., 1] > pairs[0, ..., 0]))]


def decision(kind, outputs, characters=None):
    """`kind` is text, boxes, angle, face or cells; `outputs` maps tensor names to arrays. MTCNN has other outputs beside the softmax."""
    scores = next((v for k, v in outputs.items() if k.startswith("softmax")), next(iter(outputs.values())))
    if kind == "text":
        return text(scores, characters)
    if kind == "boxes":
        return boxes(scores)
    return cells(scores) if kind == "cells" else int(scores.argmax())


def _overlap(a, b):
    common = max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1]))
    both = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common
    return 2 * common >= both


def same(kind, expected, got):
    """Whether two decisions agree. Boxes and cells need not be equal: at least half of the area of both together is common."""
    if kind == "cells":
        expected, got = set(map(tuple, expected)), set(map(tuple, got))
        return 2 * len(expected & got) >= len(expected | got)
    if kind != "boxes":
        return expected == got
    return len(expected) == len(got) and all(sum(_overlap(e, g) for g in got) == 1 for e in expected)
