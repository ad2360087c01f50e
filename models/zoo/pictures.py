"""Inputs of the real networks: twenty to judge and forty to calibrate with each, none in both."""

import io
import random
import zipfile

import lines
import numpy as np
import photographs
import samples
from PIL import Image, ImageDraw, ImageFont

JUDGED, CALIBRATED = 20, 40
ANGLE_WIDTH = 192


def text_lines(specs):
    """[1, 3, 48, 320] each: blue, green, red in -1..1, zeros right of the line."""
    pictures = [lines.render(*spec, shrink=True) for spec in specs]
    return [lines.padded_after(lines.pixels(p), p.width) for p in pictures]


def recogniser():
    return text_lines(samples.JUDGED), text_lines(samples.calibration())


def _angled(spec, turned):
    picture = lines.render(*spec, shrink=True).convert("RGB")
    width = min(ANGLE_WIDTH, picture.width)
    picture = picture.resize((width, lines.HEIGHT), Image.BILINEAR)
    if turned:
        picture = picture.transpose(Image.ROTATE_180)
    out = np.zeros((1, 3, lines.HEIGHT, ANGLE_WIDTH), np.float32)
    out[0, :, :, :width] = ((np.asarray(picture, np.float32)[:, :, ::-1] - 127.5) / 127.5).transpose(2, 0, 1)
    return out


def angle():
    """[1, 3, 48, 192], squeezed into that width, every second line upside down."""
    judged = [_angled(spec, i % 2 == 1) for i, spec in enumerate(samples.JUDGED)]
    # In threes: every second would give each font and kind of content one direction only.
    calibration = [_angled(spec, i // 3 % 2 == 1) for i, spec in enumerate(samples.calibration())]
    return judged, calibration


def page(seed, width, height):
    """A page of some lines of text, in blocks, on paper of one colour: [1, 3, height, width] pixels 0..255 in blue, green, red."""
    draw = random.Random(seed)
    light = tuple(draw.randrange(200, 256) for _ in range(3))
    dark = tuple(draw.randrange(0, 90) for _ in range(3))
    ink, paper = (light, dark) if draw.random() < 0.2 else (dark, light)
    picture = Image.new("RGB", (width, height), paper)
    pen = ImageDraw.Draw(picture)
    words = " ".join(text for text, *_ in samples.calibration()).split()
    y = draw.randrange(8, 30)
    while True:
        size = draw.randrange(14, 30)
        face = ImageFont.truetype(str(lines.FONTS / lines.FAMILIES[draw.choice(list(lines.FAMILIES))]), size, layout_engine=ImageFont.Layout.BASIC)
        x = draw.randrange(8, width // 3)
        for _ in range(draw.randrange(1, 4)):
            if y + size + 10 > height:
                return np.asarray(picture, np.float32)[:, :, ::-1].transpose(2, 0, 1)[None].copy()
            text = " ".join(draw.choice([w, w.upper(), w.capitalize(), str(draw.randrange(9999))]) for w in draw.sample(words, 4))
            while face.getlength(text) > width - 8 - x:
                text = text[:-1]
            pen.text((x, y), text.strip(), fill=ink, font=face)
            y += round(size * draw.uniform(1.5, 1.9))
        y += draw.randrange(4, 40)


def pages(width, height):
    return [page(i, width, height) for i in range(JUDGED)], [page(1000 + i, width, height) for i in range(CALIBRATED)]


def crops(wheel, width, height):
    """MTCNN's: the calibration set goes on where its first forty end, so the judged ones are new. Every second holds a face."""
    with zipfile.ZipFile(wheel) as files:
        pictures = {n: Image.open(io.BytesIO(files.read(f"skimage/data/{n}.png"))).convert("RGB") for n in photographs.NAMES}
    both = photographs.calibration(pictures, width, height, CALIBRATED + JUDGED)
    return both[CALIBRATED:], both[:CALIBRATED]
