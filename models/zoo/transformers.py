"""Transformer blocks: the two halves of SmolVLM-256M's first vision layer, and random ones from a seed."""

import numpy as np
from graphs import Graph

# Rules of the toolkit that must not run, so that what is written as separate operators stays so.
APART = ["fuse_transpose_reshape", "fuse_channel_shuffle_split_concat_to_gather", "squeeze_nd_add", "squeeze_to_4d_add", "eliminate_add_redundancy_const_dim"]
UNFUSED = [*APART, "fuse_matmul_softmax_matmul_to_sdpa", "fuse_exmatmul_mul", "convert_softmax_to_exsoftmax13"]

TOKENS, WIDTH, HIDDEN, HEADS, TILE = 1024, 768, 3072, 12, 32


def layer_norm(g, x, epsilon=1e-6):
    """Spelt out, as exporters did before ONNX had an operator for it."""
    def mean(t):
        return g.op("ReduceMean", [t], (*t.shape[:-1], 1), axes=[-1])

    centred = g.subtract(x, mean(x))
    variance = mean(g.op("Pow", [centred, g.const(2)], centred.shape))
    deviation = g.op("Sqrt", [g.add(variance, g.const(epsilon))], variance.shape)
    scaled = g.multiply(g.divide(centred, deviation), g.draw(x.shape[-1], scale=0.1, around=1))
    return g.add(scaled, g.draw(x.shape[-1], scale=0.1))


def one_operator_norm(g, x, epsilon=1e-5):
    parts = [x, g.draw(x.shape[-1], scale=0.1, around=1), g.draw(x.shape[-1], scale=0.1)]
    return g.op("LayerNormalization", parts, x.shape, axis=-1, epsilon=epsilon)


def split_heads(g, x, heads, turned=False):
    """[1, tokens, width] to [1, heads, tokens, head], or with the last two `turned`."""
    x = g.reshape(x, 1, x.shape[1], heads, x.shape[2] // heads)
    return g.transpose(x, *((0, 2, 3, 1) if turned else (0, 2, 1, 3)))


def join_heads(g, x):
    x = g.transpose(x, 0, 2, 1, 3)
    return g.reshape(x, 1, x.shape[1], x.shape[2] * x.shape[3])


def attend(g, query, key_turned, value, mask=None):
    scores = g.multiply(g.matmul(query, key_turned), g.const(query.shape[-1] ** -0.5))
    return g.matmul(g.softmax(g.add(scores, mask) if mask else scores), value)


def l0_mlp():
    """1024 tokens, width 768, hidden 3072; GELU as x sigmoid(1.702 x); values are 10 times as large inside."""
    g = Graph("l0_mlp", 201, opset=12)
    x = g.multiply(g.input(1, TOKENS, WIDTH), g.const(10))
    y = g.activate(g.linear(layer_norm(g, x), HIDDEN), "QuickGelu")
    g.output(g.multiply(g.add(x, g.linear(y, WIDTH)), g.const(0.1)))
    return g.model()


def _l0_attention(name, attention):
    g = Graph(name, 202, opset=12)
    x = g.multiply(g.input(1, TOKENS, WIDTH), g.const(10))
    normal = layer_norm(g, x)
    context = attention(g, *(g.linear(normal, WIDTH) for _ in range(3)))
    g.output(g.multiply(g.add(x, g.linear(context, WIDTH)), g.const(0.1)))
    return g.model()


def _whole(g, query, key, value):
    """Attention in the usual form, of which the toolkit makes one operator."""
    return join_heads(g, attend(g, split_heads(g, query, HEADS), split_heads(g, key, HEADS, turned=True), split_heads(g, value, HEADS)))


def _tiled(g, query, key, value):
    """32 tiles of queries, each with an attention of its own; transposes in two steps, one pair of axes each."""
    def heads(x):
        x = g.reshape(x, 1, TOKENS // TILE, TILE, HEADS, WIDTH // HEADS)
        x = g.transpose(g.transpose(x, 0, 1, 3, 2, 4), 0, 2, 1, 3, 4)
        return g.reshape(x, 1, HEADS, TOKENS, WIDTH // HEADS)

    query, key, value = heads(query), heads(key), heads(value)
    key = g.transpose(key, 0, 1, 3, 2)
    context = g.concat([attend(g, tile, key, value) for tile in g.split(query, TOKENS // TILE, 2)], 2)
    context = g.reshape(context, 1, HEADS, TOKENS // TILE, TILE, WIDTH // HEADS)
    context = g.transpose(g.transpose(context, 0, 2, 1, 3, 4), 0, 1, 3, 2, 4)
    return g.reshape(context, 1, TOKENS, WIDTH)


def l0_attn_fused():
    return _l0_attention("l0_attn_fused", _whole)


def l0_attn_unfused():
    return _l0_attention("l0_attn_unfused", _tiled)


def random_block(number):
    """An encoder block, or several, of awkward sizes; each choice that exporters differ in is drawn."""
    g = Graph(f"random_transformer{number:02}", [302, number], opset=17)
    draw = g.random
    heads, head = int(draw.integers(1, 7)), int(draw.choice([7, 8, 16, 20, 24, 32, 33, 64]))
    width, tokens = heads * head, int(draw.integers(3, 130))
    norm = [layer_norm, one_operator_norm][draw.integers(2)]
    before, masked, joined = (bool(draw.integers(2)) for _ in range(3))
    activation = str(draw.choice(["Relu", "QuickGelu", "Silu", "HardSwish", "Tanh"]))
    x = g.input(1, tokens, width)
    mask = g.const(np.triu(np.full((tokens, tokens), -100.0), 1)[None, None]) if masked else None

    def attention(y):
        query, key, value = g.split(g.linear(y, 3 * width), 3, 2) if joined else (g.linear(y, width, bias=bool(i)) for i in range(3))
        turned = split_heads(g, key, heads, turned=True)
        return g.linear(join_heads(g, attend(g, split_heads(g, query, heads), turned, split_heads(g, value, heads), mask)), width)

    def network(y):
        return g.linear(g.activate(g.linear(y, int(width * draw.choice([1, 2, 4]))), activation), width)

    for _ in range(draw.integers(1, 3)):
        for part in (attention, network):
            x = g.add(x, part(norm(g, x))) if before else norm(g, g.add(x, part(x)))
    g.output(x)
    return g.model()
