"""A network under construction: operators that keep track of shapes and draw their own weights."""

import dataclasses
import math

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


@dataclasses.dataclass(frozen=True)
class Tensor:
    name: str
    shape: tuple

    @property
    def channels(self):
        return self.shape[1]


def sizes(value):
    """A pair from a number or a pair."""
    return (value, value) if isinstance(value, int) else tuple(value)


class Graph:
    """Same name and seed, same network. Weights are scaled so that values neither grow nor vanish, which keeps them inside fp16."""

    def __init__(self, name, seed, opset=13):
        self.name, self.opset = name, opset
        self.random = np.random.default_rng(seed)
        self.nodes, self.weights, self.inputs, self.outputs = [], {}, [], []

    # --- the parts of a graph

    def input(self, *shape):
        self.inputs.append(Tensor(f"in{len(self.inputs)}", shape))
        return self.inputs[-1]

    def output(self, tensor):
        self.outputs.append(self.op("Identity", [tensor], tensor.shape, to=f"out{len(self.outputs)}"))

    def const(self, values, kind=np.float32):
        name = f"c{len(self.weights)}"
        self.weights[name] = np.asarray(values, kind)
        return Tensor(name, self.weights[name].shape)

    def draw(self, *shape, scale=1.0, around=0.0):
        return self.const(around + scale * self.random.standard_normal(shape))

    def op(self, kind, inputs, shape, to=None, **attributes):
        """One node with one output; an input that is None is left out."""
        name = to or f"t{len(self.nodes)}"
        names = [t.name if t else "" for t in inputs]
        self.nodes.append(helper.make_node(kind, names, [name], **attributes))
        return Tensor(name, tuple(int(n) for n in shape))

    def model(self):
        def info(tensor):
            return helper.make_tensor_value_info(tensor.name, TensorProto.FLOAT, tensor.shape)

        weights = [numpy_helper.from_array(v, k) for k, v in self.weights.items()]
        graph = helper.make_graph(self.nodes, self.name, [info(t) for t in self.inputs], [info(t) for t in self.outputs], weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)])
        model.ir_version = 8
        onnx.checker.check_model(model)
        return model

    # --- convolutions

    def conv(self, x, channels, kernel=1, stride=1, pads=None, dilation=1, group=1, bias=True):
        """`pads` is top, left, bottom, right; left out, it keeps the size where the stride is 1."""
        kernel, stride, dilation = sizes(kernel), sizes(stride), sizes(dilation)
        reach = [d * (k - 1) + 1 for d, k in zip(dilation, kernel)]
        pads = pads if pads is not None else [(r - 1) // 2 for r in reach] + [r // 2 for r in reach]
        fan = x.channels // group * math.prod(kernel)
        weights = [self.draw(channels, x.channels // group, *kernel, scale=(2 / fan) ** 0.5)]
        weights += [self.draw(channels, scale=0.1)] if bias else []
        size = [(n + pads[i] + pads[i + 2] - reach[i]) // stride[i] + 1 for i, n in enumerate(x.shape[2:])]
        options = dict(kernel_shape=kernel, strides=stride, pads=pads, dilations=dilation, group=group)
        return self.op("Conv", [x, *weights], (x.shape[0], channels, *size), **options)

    def transposed_conv(self, x, channels, kernel=2, stride=2, pad=0):
        weights = [self.draw(x.channels, channels, kernel, kernel, scale=x.channels**-0.5), self.draw(channels, scale=0.1)]
        size = [(n - 1) * stride + kernel - 2 * pad for n in x.shape[2:]]
        options = dict(kernel_shape=sizes(kernel), strides=sizes(stride), pads=[pad] * 4)
        return self.op("ConvTranspose", [x, *weights], (x.shape[0], channels, *size), **options)

    def batch_norm(self, x):
        n = x.channels
        deviations = self.const(0.5 + self.random.random(n))
        statistics = [self.draw(n, scale=0.1, around=1), self.draw(n, scale=0.1), self.draw(n, scale=0.1), deviations]
        return self.op("BatchNormalization", [x, *statistics], x.shape, epsilon=1e-5)

    def conv_norm(self, x, channels, kernel=1, stride=1, activation=None, **options):
        x = self.batch_norm(self.conv(x, channels, kernel, stride, bias=False, **options))
        return self.activate(x, activation) if activation else x

    # --- one tensor in, one out

    def activate(self, x, kind):
        """An activation: one operator of ONNX, or one of the compositions that exporters write."""
        if kind == "Silu":
            return self.multiply(x, self.op("Sigmoid", [x], x.shape))
        if kind == "HardSwish":
            return self.multiply(x, self.activate(x, "HardSigmoid"))
        if kind == "QuickGelu":
            return self.multiply(x, self.op("Sigmoid", [self.multiply(x, self.const(1.702))], x.shape))
        if kind == "Relu6":
            return self.op("Clip", [x, self.const(0), self.const(6)], x.shape)
        if kind == "PRelu":
            return self.op("PRelu", [x, self.draw(x.channels, 1, 1, scale=0.1, around=0.2)], x.shape)
        options = {"LeakyRelu": dict(alpha=0.1), "Elu": dict(alpha=1.0), "HardSigmoid": dict(alpha=1 / 6, beta=0.5)}
        return self.op(kind, [x], x.shape, **options.get(kind, {}))

    def pool(self, x, kind, kernel, stride=1, pads=(0, 0, 0, 0), ceil=False):
        size = []
        for i, n in enumerate(x.shape[2:]):
            room = n + pads[i] + pads[i + 2] - kernel
            size.append((-(-room // stride) if ceil else room // stride) + 1)
        options = dict(kernel_shape=sizes(kernel), strides=sizes(stride), pads=pads, ceil_mode=int(ceil))
        return self.op(kind, [x], (*x.shape[:2], *size), **options)

    def mean(self, x):
        return self.op("GlobalAveragePool", [x], (*x.shape[:2], 1, 1))

    def resize(self, x, height, width, mode="nearest"):
        """To a size, as PyTorch's interpolate does without aligned corners."""
        shape = (*x.shape[:2], height, width)
        nearest = mode == "nearest"
        options = dict(mode=mode, coordinate_transformation_mode="asymmetric" if nearest else "half_pixel")
        options |= dict(nearest_mode="floor") if nearest else {}
        if height % x.shape[2] == 0 and width % x.shape[3] == 0:
            scales = self.const([1, 1, height // x.shape[2], width // x.shape[3]])
            return self.op("Resize", [x, None, scales], shape, **options)
        return self.op("Resize", [x, None, None, self.const(shape, np.int64)], shape, **options)

    def reshape(self, x, *shape):
        return self.op("Reshape", [x, self.const(shape, np.int64)], shape)

    def transpose(self, x, *order):
        return self.op("Transpose", [x], [x.shape[i] for i in order], perm=order)

    def softmax(self, x, axis=-1):
        return self.op("Softmax", [x], x.shape, axis=axis)

    def slice(self, x, axis, start, end, step=1):
        shape = list(x.shape)
        shape[axis] = -(-(end - start) // step)
        return self.op("Slice", [x, *(self.const([v], np.int64) for v in (start, end, axis, step))], shape)

    def split(self, x, parts, axis):
        """Equal parts."""
        step = x.shape[axis] // parts
        shape = list(x.shape)
        shape[axis] = step
        names = [f"t{len(self.nodes)}_{i}" for i in range(parts)]
        self.nodes.append(helper.make_node("Split", [x.name], names, axis=axis))
        return [Tensor(n, tuple(shape)) for n in names]

    def linear(self, x, width, bias=True):
        """A matrix product over the last axis, as exporters of transformers write it."""
        y = self.matmul(x, self.draw(x.shape[-1], width, scale=x.shape[-1] ** -0.5))
        return self.add(self.draw(width, scale=0.1), y) if bias else y

    def gemm(self, x, width):
        weights = [self.draw(width, x.shape[1], scale=x.shape[1] ** -0.5), self.draw(width, scale=0.1)]
        return self.op("Gemm", [x, *weights], (x.shape[0], width), transB=1)

    # --- several tensors in

    def _pointwise(self, kind, a, b):
        return self.op(kind, [a, b], np.broadcast_shapes(a.shape, b.shape))

    def add(self, a, b):
        return self._pointwise("Add", a, b)

    def subtract(self, a, b):
        return self._pointwise("Sub", a, b)

    def multiply(self, a, b):
        return self._pointwise("Mul", a, b)

    def divide(self, a, b):
        return self._pointwise("Div", a, b)

    def matmul(self, a, b):
        return self.op("MatMul", [a, b], (*a.shape[:-1], b.shape[-1]))

    def concat(self, tensors, axis=1):
        shape = list(tensors[0].shape)
        shape[axis] = sum(t.shape[axis] for t in tensors)
        return self.op("Concat", tensors, shape, axis=axis)
