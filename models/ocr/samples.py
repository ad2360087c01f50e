"""The lines of text: three to show, twenty to judge, forty to calibrate with. No text occurs twice."""

import random

from lines import FAMILIES

BLACK, WHITE = 0, 255

# text, font, size in pixels, ink, paper. Line 2 is coloured: with red and blue exchanged its scores move.
SHOWN = [
    ("Hello, Ferrite 42!", "dejavu-sans", 26, (0, 0, 0), (255, 255, 255)),
    ("open silicon", "liberation-serif", 36, (20, 40, 120), (250, 240, 215)),
    ("NPU: 6 TOPS @ 1.0 GHz", "free-sans", 26, (235, 235, 235), (30, 60, 50)),
]

JUDGED = [
    ("The quick brown fox", "dejavu-serif", 26, BLACK, WHITE),
    ("jumps over a lazy dog", "liberation-sans", 28, BLACK, WHITE),
    ("0123456789", "dejavu-mono", 32, BLACK, WHITE),
    ("3.14159265", "free-serif", 36, 30, 240),
    ("ABCDEFGHIJKLM", "liberation-sans", 28, BLACK, WHITE),
    ("nopqrstuvwxyz", "free-sans", 30, BLACK, WHITE),
    ("12 March 2031", "liberation-serif", 34, 60, 230),
    ("Total: $1,249.50", "dejavu-sans", 28, BLACK, WHITE),
    ("user@example.org", "liberation-mono", 28, BLACK, WHITE),
    ("Room 17, 2nd floor", "free-serif", 30, BLACK, 220),
    ("WARNING: HIGH VOLTAGE", "liberation-narrow", 28, WHITE, BLACK),
    ("x = (a + b) * 7;", "free-mono", 28, BLACK, WHITE),
    ("Platform 9", "dejavu-bold", 36, 250, 40),
    ("well-known words", "liberation-italic", 36, BLACK, WHITE),
    ("50% off today", "free-sans", 34, 20, 200),
    ("Rust", "dejavu-serif", 38, BLACK, WHITE),
    ("Serial No. 8C-41F7", "dejavu-mono", 24, BLACK, WHITE),
    ("What is this?", "liberation-serif", 38, 80, 255),
    ("Berlin - Paris - Rome", "dejavu-sans", 24, BLACK, WHITE),
    ("pixels & planes", "free-serif", 40, BLACK, WHITE),
]

_WORDS = """amber basin cable delta ember fjord glass harbor island jacket kernel ladder magnet needle orbit pepper quartz river
signal timber umbra valley window xenon yellow zephyr apple bridge copper dragon engine forest garden hammer""".split()


def calibration():
    """Forty lines in all fonts, sizes and kinds of content, from one seed."""
    draw = random.Random(588)
    families = list(FAMILIES)
    out = []
    for i in range(40):
        words = draw.sample(_WORDS, 2)
        kind = i % 5
        if kind == 0:
            text = " ".join(words)
        elif kind == 1:
            text = f"{words[0].capitalize()} {draw.randrange(10, 9999)}"
        elif kind == 2:
            text = f"{draw.randrange(100, 999)}.{draw.randrange(10, 99)} {draw.choice('+-/*')} {draw.randrange(10, 99)}%"
        elif kind == 3:
            text = f"{words[0].upper()}, {words[1].upper()[:4]}!"
        else:
            text = f"({words[0]}): {draw.choice('ABCDEFGH')}-{draw.randrange(100, 999)}?"
        dark, light = draw.randrange(0, 80), draw.randrange(180, 256)
        ink, paper = (light, dark) if draw.random() < 0.25 else (dark, light)
        out.append((text, families[i % len(families)], draw.randrange(22, 33), ink, paper))
    return out
