"""Five published convolutional networks with random weights, at the input sizes they were published for.

Programs depend on shapes and, for int8, on scales; what the weights are matters to neither.
"""

import numpy as np
from graphs import Graph


def mobilenet_v1():
    """Howard et al. 2017, width 1.0, 224 x 224: depthwise separable blocks."""
    g = Graph("mobilenet_v1", 101)
    x = g.conv_norm(g.input(1, 3, 224, 224), 32, 3, 2, "Relu6")
    widths = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2), (1024, 1)]
    for width, stride in widths:
        x = g.conv_norm(x, x.channels, 3, stride, "Relu6", group=x.channels)
        x = g.conv_norm(x, width, 1, 1, "Relu6")
    return classify(g, x)


def classify(g, x, classes=1000):
    x = g.reshape(g.mean(x), 1, x.channels)
    g.output(g.softmax(g.gemm(x, classes)))
    return g.model()


def resnet_stages(g, x, strides=(1, 2, 2, 2), dilations=((1,) * 3, (1,) * 4, (1,) * 6, (1,) * 3)):
    """He et al. 2015, the 50-layer form: bottlenecks with the stride in their 3 x 3 convolution."""
    x = g.conv_norm(x, 64, 7, 2, "Relu", pads=[3] * 4)
    x = g.pool(x, "MaxPool", 3, 2, (1, 1, 1, 1))
    for width, stride, stage in zip((64, 128, 256, 512), strides, dilations):
        for block, dilation in enumerate(stage):
            step = stride if block == 0 else 1
            y = g.conv_norm(x, width, 1, 1, "Relu")
            y = g.conv_norm(y, width, 3, step, "Relu", dilation=dilation, pads=[dilation] * 4)
            y = g.conv_norm(y, 4 * width)
            shortcut = g.conv_norm(x, 4 * width, 1, step) if block == 0 else x
            x = g.activate(g.add(y, shortcut), "Relu")
    return x


def resnet50():
    g = Graph("resnet50", 102)
    return classify(g, resnet_stages(g, g.input(1, 3, 224, 224)))


def deeplab_v3():
    """Chen et al. 2017 on ResNet-50, output stride 16, 513 x 513, 21 classes: atrous pyramid with rates 6, 12, 18."""
    g = Graph("deeplab_v3", 103)
    image = g.input(1, 3, 513, 513)
    x = resnet_stages(g, image, (1, 2, 2, 1), ((1,) * 3, (1,) * 4, (1,) * 6, (2, 4, 8)))
    branches = [g.conv_norm(x, 256, 1, 1, "Relu")]
    for rate in (6, 12, 18):
        branches.append(g.conv_norm(x, 256, 3, 1, "Relu", dilation=rate, pads=[rate] * 4))
    pooled = g.conv_norm(g.mean(x), 256, 1, 1, "Relu")
    branches.append(g.resize(pooled, *x.shape[2:], "linear"))
    x = g.conv_norm(g.concat(branches), 256, 1, 1, "Relu")
    g.output(g.resize(g.conv(x, 21), *image.shape[2:], "linear"))
    return g.model()


def conv_silu(g, x, width, kernel=1, stride=1, **options):
    return g.conv_norm(x, width, kernel, stride, "Silu", **options)


def half_size(g, x, width=None):
    return conv_silu(g, x, width or x.channels, 3, 2, pads=[1] * 4)


def bottleneck(g, x, shortcut, first=1):
    y = conv_silu(g, conv_silu(g, x, x.channels, first, pads=[first // 2] * 4), x.channels, 3)
    return g.add(x, y) if shortcut else y


def spatial_pyramid(g, x):
    """Three max pools in a row, each over 5 x 5, and all four stages side by side."""
    width = x.channels
    stages = [conv_silu(g, x, width // 2)]
    for _ in range(3):
        stages.append(g.pool(stages[-1], "MaxPool", 5, 1, (2, 2, 2, 2)))
    return conv_silu(g, g.concat(stages), width)


def twice(g, x):
    return g.resize(x, 2 * x.shape[2], 2 * x.shape[3])


def pyramid(g, block, levels, reduce):
    """Feature pyramid down and up again over three levels, finest first. YOLOv5 reduces channels before it resizes, YOLOv8 does not."""
    fine, middle, coarse = levels
    top = conv_silu(g, coarse, middle.channels) if reduce else coarse
    up = block(g, g.concat([twice(g, top), middle]), middle.channels)
    side = conv_silu(g, up, fine.channels) if reduce else up
    small = block(g, g.concat([twice(g, side), fine]), fine.channels)
    medium = block(g, g.concat([half_size(g, small), side]), middle.channels)
    large = block(g, g.concat([half_size(g, medium), top]), coarse.channels)
    return small, medium, large


def backbone(g, x, block, depths):
    """Levels at strides 8, 16 and 32 of a detector whose four stages double in width."""
    levels = []
    for depth in depths:
        width = 2 * x.channels
        x = block(g, half_size(g, x, width), width, depth, True)
        levels.append(x)
    return [*levels[1:3], spatial_pyramid(g, x)]


def c3(g, x, width, depth=1, shortcut=False):
    """YOLOv5's stage: half of the channels through bottlenecks, half around them."""
    y, around = conv_silu(g, x, width // 2), conv_silu(g, x, width // 2)
    for _ in range(depth):
        y = bottleneck(g, y, shortcut)
    return conv_silu(g, g.concat([y, around]), width)


def yolov5s():
    """Ultralytics' YOLOv5 release 6, small, 640 x 640, 80 classes: per level 3 anchors of 85 numbers, through the sigmoid."""
    g = Graph("yolov5s", 104)
    x = conv_silu(g, g.input(1, 3, 640, 640), 32, 6, 2, pads=[2] * 4)
    for level in pyramid(g, c3, backbone(g, x, c3, (1, 2, 3, 1)), reduce=True):
        g.output(g.activate(g.conv(level, 255), "Sigmoid"))
    return g.model()


def c2f(g, x, width, depth=1, shortcut=False):
    """YOLOv8's stage: every bottleneck's output is kept."""
    parts = g.split(conv_silu(g, x, width), 2, 1)
    for _ in range(depth):
        parts.append(bottleneck(g, parts[-1], shortcut, 3))
    return conv_silu(g, g.concat(parts), width)


def yolov8_maps(g):
    """YOLOv8 nano up to its last convolutions: per level 4 x 16 distances and 80 scores."""
    x = conv_silu(g, g.input(1, 3, 640, 640), 16, 3, 2, pads=[1] * 4)
    for level in pyramid(g, c2f, backbone(g, x, c2f, (1, 2, 2, 1)), reduce=False):
        heads = []
        for width, last in ((64, 64), (80, 80)):
            heads.append(g.conv(conv_silu(g, conv_silu(g, level, width, 3), width, 3), last))
        yield heads


def yolov8n():
    """Ultralytics' YOLOv8 nano, 640 x 640, 80 classes, as published: boxes in pixels and scores of all three levels in one output."""
    g = Graph("yolov8n", 105)
    flat, places = [], []
    for stride, heads in zip((8, 16, 32), yolov8_maps(g)):
        both = g.concat(heads)
        size = both.shape[2]
        flat.append(g.reshape(both, 1, both.channels, size * size))
        row, column = np.mgrid[:size, :size] + 0.5
        places.append(np.stack([column.ravel(), row.ravel(), np.full(size * size, stride)]))
    x, places = g.concat(flat, 2), np.concatenate(places, 1)
    count = x.shape[2]
    centres, strides = g.const(places[None, :2]), g.const(places[None, 2:])
    distances = g.transpose(g.reshape(g.slice(x, 1, 0, 64), 1, 4, 16, count), 0, 2, 1, 3)
    weights = g.const(np.arange(16).reshape(1, 16, 1, 1))
    distances = g.op("Conv", [g.softmax(distances, 1), weights], (1, 1, 4, count))
    near, far = g.split(g.reshape(distances, 1, 4, count), 2, 1)
    start, end = g.subtract(centres, near), g.add(centres, far)
    boxes = g.concat([g.divide(g.add(start, end), g.const(2)), g.subtract(end, start)])
    g.output(g.concat([g.multiply(boxes, strides), g.activate(g.slice(x, 1, 64, 144), "Sigmoid")]))
    return g.model()


def yolov8n_maps():
    """The form in which YOLOv8 nano is put on NPUs: three pairs of maps, the rest is for the host."""
    g = Graph("yolov8n_maps", 105)
    for distances, scores in yolov8_maps(g):
        g.output(distances)
        g.output(g.activate(scores, "Sigmoid"))
    return g.model()


NETWORKS = {build.__name__: build for build in (mobilenet_v1, resnet50, deeplab_v3, yolov5s, yolov8n, yolov8n_maps)}
