"""Pictures for the three networks: one scene with a face to test with, crops of photographs to calibrate with."""

import io
import random
import zipfile

import numpy as np
from PIL import Image

import toolkit

PACKAGE = "scikit-image==0.26.0"
NAMES = ["astronaut", "chelsea", "coffee"]
SCENE = (0, 0, 512, 384)  # left, top, right, bottom in "astronaut": the face comes out 14 pixels wide in P-Net's input
FACE = (168, 60, 280, 172)


def load(scratch):
    """The photographs by name, RGB."""
    wheel = zipfile.ZipFile(toolkit.from_pypi(PACKAGE, scratch, "--python-version", "3.11", "--only-binary=:all:"))
    return {n: Image.open(io.BytesIO(wheel.read(f"skimage/data/{n}.png"))).convert("RGB") for n in NAMES}


def network_input(picture, box, width, height):
    """A part of `picture` as these networks take it: [1, width, height, 3] (columns before rows), RGB, (pixel - 127.5) / 128."""
    part = np.asarray(picture.resize((width, height), Image.BOX, box=box), np.float32)
    return ((part - 127.5) / 128).transpose(1, 0, 2)[None]


def calibration(photographs, width, height, count=40):
    """Half of the inputs are faces, moved and scaled; the rest is cut out anywhere. None equals the test's input."""
    draw = random.Random(24)
    left, top, right, bottom = FACE if width == height else SCENE
    out = []
    for i in range(count):
        if i % 2 == 0:
            picture = photographs["astronaut"]
            grow = draw.uniform(0.7, 1.0) if width != height else draw.uniform(0.8, 1.3)
            half_width, half_height = (right - left) * grow / 2, (bottom - top) * grow / 2
            x = (left + right) / 2 + draw.uniform(-0.1, 0.1) * half_width
            y = (top + bottom) / 2 + draw.uniform(-0.1, 0.1) * half_height
        else:
            picture = photographs[NAMES[i // 2 % len(NAMES)]]
            half_width = draw.uniform(width / 2, picture.width / 3)
            half_height = min(half_width * height / width, picture.height / 2)
            x = draw.uniform(half_width, picture.width - half_width)
            y = draw.uniform(half_height, picture.height - half_height)
        box = (max(0, x - half_width), max(0, y - half_height), min(picture.width, x + half_width), min(picture.height, y + half_height))
        out.append(network_input(picture, box, width, height))
    return out
