"""Rendering lines of text, and turning a line into the network's input and the network's output into text."""

import pathlib

import numpy as np
from PIL import Image, ImageDraw, ImageFont

HEIGHT, WIDTH = 48, 320  # pixels; the network's input
# (pixel - 127.5) / 127.5 is zero halfway between 127 and 128. The original pads with zeros after normalising, from which a filler
# of 128 is 0.004 off; make.py checks that no line reads differently for it.
FILL = 128

FONTS = pathlib.Path("/usr/share/fonts/truetype")
FAMILIES = {  # short name -> file; Debian's fonts-dejavu, fonts-liberation and fonts-freefont-ttf
    "dejavu-sans": "dejavu/DejaVuSans.ttf",
    "dejavu-serif": "dejavu/DejaVuSerif.ttf",
    "dejavu-mono": "dejavu/DejaVuSansMono.ttf",
    "dejavu-bold": "dejavu/DejaVuSans-Bold.ttf",
    "liberation-sans": "liberation/LiberationSans-Regular.ttf",
    "liberation-serif": "liberation/LiberationSerif-Regular.ttf",
    "liberation-mono": "liberation/LiberationMono-Regular.ttf",
    "liberation-italic": "liberation/LiberationSerif-Italic.ttf",
    "liberation-narrow": "liberation/LiberationSansNarrow-Regular.ttf",
    "free-sans": "freefont/FreeSans.ttf",
    "free-serif": "freefont/FreeSerif.ttf",
    "free-mono": "freefont/FreeMonoBold.ttf",
}


def render(text, font, size, ink, paper, margin=8, shrink=False):
    """One line of text as a picture 48 pixels high and at most 320 wide. Colours are one grey level or an RGB triple.

    Text that is too wide is an error, or is set smaller with `shrink`.
    """
    path = FONTS / FAMILIES[font]
    if not path.exists():
        raise SystemExit(f"{path} is missing: apt install fonts-dejavu fonts-liberation fonts-freefont-ttf")
    face = ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
    left, top, right, bottom = face.getbbox(text)
    width = right - left + 2 * margin
    if width > WIDTH or bottom - top > HEIGHT:
        if shrink:
            return render(text, font, size - 1, ink, paper, margin, shrink)
        raise SystemExit(f"{text!r} in {font} {size} needs {width} x {bottom - top} pixels")
    picture = Image.new("L" if isinstance(ink, int) else "RGB", (width, HEIGHT), paper)
    # Ascent and descent rather than the ink's own box: a line's baseline does not depend on its letters.
    ascent, descent = face.getmetrics()
    ImageDraw.Draw(picture).text((margin - left, (HEIGHT - ascent - descent) // 2), text, fill=ink, font=face)
    return picture


def pixels(picture):
    """The network's input for a picture: [1, 48, 320, 3] uint8 in the order blue, green, red, filled up on the right."""
    rgb = picture.convert("RGB")
    width = min(WIDTH, max(1, round(rgb.width * HEIGHT / rgb.height)))
    if rgb.size != (width, HEIGHT):
        rgb = rgb.resize((width, HEIGHT), Image.BILINEAR)
    out = np.full((1, HEIGHT, WIDTH, 3), FILL, np.uint8)
    out[0, :, :width] = np.asarray(rgb)[:, :, ::-1]
    return out


def padded_after(image, width):
    """`normalised` as the original pipeline does it, with true zeros right of `width`."""
    out = normalised(image)
    out[..., width:] = 0
    return out


def normalised(image):
    """The same input as the original ONNX network takes it: [1, 3, 48, 320] float32 in -1..1."""
    return ((image.astype(np.float32) - 127.5) / 127.5).transpose(0, 3, 1, 2)


def charset(model):
    """Characters of the classes 1.. in order, without the blank (class 0) and the space (last class)."""
    entry = next(p.value for p in model.metadata_props if p.key == "character")
    return entry.removesuffix("\n").split("\n")


def decode(scores, characters):
    """Greedy CTC: best class per step, repeats merged, blanks dropped. `scores` is [1, steps, classes]."""
    classes = ["", *characters, " "]
    assert scores.shape[-1] == len(classes), (scores.shape, len(classes))
    best = scores.reshape(scores.shape[-2:]).argmax(-1)
    kept = [c for i, c in enumerate(best) if i == 0 or c != best[i - 1]]
    return "".join(classes[c] for c in kept)
