"""Convolutional networks drawn from a seed: odd sizes, and every combination of operators that the toolkit is known to fuse."""

from graphs import Graph

ACTIVATIONS = ["Relu", "Relu6", "LeakyRelu", "PRelu", "Sigmoid", "Tanh", "Silu", "HardSwish", "HardSigmoid", "Elu", "Softplus"]
# Beyond this many elements a feature map is halved before anything else happens: the zoo is large, not its networks.
LARGE = 120_000


class Draw(Graph):
    def __init__(self, number):
        super().__init__(f"random_cnn{number:02}", [301, number])

    def whole(self, low, high):
        """A number from low to high, both included."""
        return int(self.random.integers(low, high + 1))

    def pick(self, *choices):
        return choices[self.random.integers(len(choices))]

    def maybe(self, chance=0.5):
        return bool(self.random.random() < chance)

    def width(self):
        return self.pick(self.whole(1, 20), self.whole(20, 90), 16, 32, 64)

    def dressed(self, x):
        """Batch normalisation and activation behind a convolution, each perhaps."""
        x = self.batch_norm(x) if self.maybe(0.4) else x
        return self.activate(x, self.pick(*ACTIVATIONS)) if self.maybe(0.7) else x


def fits(x, size):
    return min(x.shape[2:]) >= size


# --- blocks: a graph and a tensor in, a tensor out; a block that has no room gives back what it got


def convolution(g, x):
    kernel = (g.pick(1, 1, 2, 3, 3, 3, 5, 7), g.pick(1, 3, 3, 5))
    dilation = g.pick(1, 1, 1, 2, 3)
    if not fits(x, dilation * (max(kernel) - 1) + 1):
        return x
    pads = g.pick(None, [0] * 4, [g.whole(0, kernel[i % 2] - 1) for i in range(4)])
    return g.dressed(g.conv(x, g.width(), kernel, (g.pick(1, 1, 2), g.pick(1, 1, 2)), pads, dilation, bias=g.maybe(0.8)))


def grouped(g, x):
    parts = [n for n in range(2, 9) if x.channels % n == 0]
    group = g.pick(x.channels, x.channels, *parts)
    out = x.channels if group == x.channels else group * g.whole(1, 12)
    return g.dressed(g.conv(x, out, g.pick(1, 3, 5), g.pick(1, 1, 2), group=group))


def residual(g, x):
    y = g.dressed(g.conv(x, g.width(), 3))
    y = g.add(*g.pick((x, last := g.conv(y, x.channels, g.pick(1, 3))), (last, x)))
    return g.activate(y, g.pick("Relu", "Silu", "LeakyRelu")) if g.maybe(0.7) else y


def squeeze(g, x):
    """Squeeze and excitation: channels weighed by what the whole map holds."""
    y = g.activate(g.conv(g.mean(x), g.whole(1, 16)), g.pick("Relu", "HardSwish"))
    return g.multiply(x, g.activate(g.conv(y, x.channels), g.pick("Sigmoid", "HardSigmoid")))


def branches(g, x):
    parts = [g.dressed(g.conv(x, g.width(), g.pick(1, 3, 5))) for _ in range(g.whole(1, 3))]
    if g.maybe():
        parts.append(g.pool(x, g.pick("MaxPool", "AveragePool"), 3, 1, (1, 1, 1, 1)))
    return g.concat([*parts, x] if g.maybe() else [*parts, g.conv(x, g.width())])


def halves(g, x):
    """Channels in two, one of them worked on, both shuffled together again."""
    if x.channels % 2:
        return x
    one, other = g.split(x, 2, 1)
    y = g.concat([one, g.dressed(g.conv(other, other.channels, 3))])
    if g.maybe():
        n, c, h, w = y.shape
        y = g.reshape(g.transpose(g.reshape(y, n, 2, c // 2, h, w), 0, 2, 1, 3, 4), n, c, h, w)
    return y


def pooling(g, x):
    kernel = g.pick(2, 2, 3, 3, 5)
    if not fits(x, kernel + 1):
        return x
    pad = g.whole(0, kernel // 2)
    return g.pool(x, g.pick("MaxPool", "AveragePool"), kernel, g.whole(1, 3), (pad,) * 4, g.maybe(0.3) and not pad)


def larger(g, x):
    if x.shape[1] * x.shape[2] * x.shape[3] > LARGE // 4:
        return x
    height, width = x.shape[2:]
    way = g.pick("nearest", "linear", "transposed", "size")
    if way == "transposed":
        kernel, stride = g.pick((2, 2), (3, 2), (4, 2), (3, 3))
        return g.dressed(g.transposed_conv(x, g.width(), kernel, stride))
    if way == "size":
        return g.resize(x, height + g.whole(1, 9), width + g.whole(1, 9), "linear")
    return g.resize(x, 2 * height, 2 * width, way)


def cut(g, x):
    axis = g.pick(1, 2, 3)
    if x.shape[axis] < 4:
        return x
    start = g.whole(0, x.shape[axis] // 2 - 1)
    return g.slice(x, axis, start, x.shape[axis] - g.whole(0, 1), g.pick(1, 1, 2))


def pointwise(g, x):
    way = g.pick(g.add, g.subtract, g.multiply, g.divide)
    shape = g.pick((), (1, x.channels, 1, 1), (1, x.channels, 1, 1), (1, *x.shape[1:]), (1, 1, *x.shape[2:]))
    other = g.const(0.6 + g.random.random(shape))
    return way(x, other)


def activation(g, x):
    return g.activate(x, g.pick(*ACTIVATIONS, "Abs", "Neg"))


def turned(g, x):
    """Height and width exchanged, or channels to the end and back with a matrix product between."""
    if g.maybe():
        return g.transpose(x, 0, 1, 3, 2)
    return g.transpose(g.linear(g.transpose(x, 0, 2, 3, 1), g.width()), 0, 3, 1, 2)


BLOCKS = [convolution] * 5 + [residual, branches] * 2 + [grouped, squeeze, halves, pooling, larger, cut, pointwise, activation, turned]


# --- heads


def classes(g, x):
    x = g.reshape(g.mean(x), 1, x.channels)
    x = g.gemm(x, g.whole(2, 300))
    g.output(g.softmax(x) if g.maybe() else x)


def everything_flat(g, x):
    while x.shape[1] * x.shape[2] * x.shape[3] > 6000:
        x = g.conv(x, g.whole(3, 24), 3, 2)
    g.output(g.gemm(g.reshape(x, 1, x.shape[1] * x.shape[2] * x.shape[3]), g.whole(2, 120)))


def dense_map(g, x):
    x = g.conv(x, g.whole(1, 30))
    g.output(g.activate(x, "Sigmoid") if g.maybe() else x)


def pixel_classes(g, x):
    g.output(g.softmax(g.conv(x, g.whole(2, 24)), 1))


def sequence(g, x):
    """Columns as steps of a text recogniser."""
    x = g.op("ReduceMean", [x], (1, x.channels, 1, x.shape[3]), axes=[2], keepdims=1)
    x = g.reshape(g.transpose(x, 0, 3, 1, 2), 1, x.shape[3], x.channels)
    g.output(g.softmax(g.linear(x, g.whole(5, 200))))


HEADS = [classes, everything_flat, dense_map, pixel_classes, sequence]


def random_cnn(number):
    g = Draw(number)
    x = g.input(1, g.pick(1, 3, 3, 4, g.whole(5, 40)), g.whole(9, 90), g.whole(9, 90))
    x = g.dressed(g.conv(x, g.width(), g.pick(3, 3, 5, 7), g.pick(1, 2)))
    for _ in range(g.whole(3, 11)):
        if x.shape[1] * x.shape[2] * x.shape[3] > LARGE:
            x = g.dressed(g.conv(x, g.whole(8, 48), 3, 2))
        x = g.pick(*BLOCKS)(g, x)
        if g.maybe(0.07):
            g.pick(dense_map, classes)(g, x)
    g.pick(*HEADS)(g, x)
    return g.model()
