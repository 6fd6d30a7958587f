# SPDX-License-Identifier: Apache-2.0
"""Keras layers and TensorFlow functions, exported by tf2onnx and openvino.convert_model."""

from __future__ import annotations

import os
import pathlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf
from exported import Export, main

FAMILY = f"keras {tf.keras.__version__}"
layers = tf.keras.layers


def sequential(*made):
    tf.keras.utils.set_random_seed(7)
    return tf.keras.Sequential(list(made))


def unet(interpolation):
    """Two levels, as in Keras examples."""
    tf.keras.utils.set_random_seed(7)
    x = tf.keras.Input((None, None, 2))
    a = layers.Conv2D(3, 3, padding="same", activation="relu")(x)
    b = layers.Conv2D(3, 3, padding="same", activation="relu")(layers.MaxPooling2D()(a))
    c = layers.UpSampling2D(2, interpolation=interpolation)(b)
    return tf.keras.Model(x, layers.Conv2D(2, 1)(layers.Concatenate()([a, c])))


def mobilenet_unet(interpolation):
    """A decoder of three steps on features of MobileNetV2, each concatenated with the encoder's."""
    tf.keras.utils.set_random_seed(7)
    encoder = tf.keras.applications.MobileNetV2((64, 64, 3), alpha=0.35, include_top=False, weights=None)
    names = ("block_13_expand_relu", "block_6_expand_relu", "block_3_expand_relu", "block_1_expand_relu")
    top, *sides = [encoder.get_layer(name).output for name in names]
    for side in sides:
        top = layers.UpSampling2D(2, interpolation=interpolation)(top)
        top = layers.Conv2D(8, 3, padding="same", activation="relu")(layers.Concatenate()([top, side]))
    return tf.keras.Model(encoder.input, layers.Resizing(64, 64, interpolation=interpolation)(top))


def pooled_pyramid():
    """Features pooled to several grids and resized to the largest, as in PSPNet and ASPP."""
    tf.keras.utils.set_random_seed(7)
    x = tf.keras.Input((48, 60, 3))
    features = layers.Conv2D(8, 3, strides=2, padding="same", activation="relu")(x)
    steps = [layers.Conv2D(4, 1)(layers.AveragePooling2D(size)(features)) for size in (2, 3, 6)]
    sized = [layers.Resizing(24, 30, interpolation="bilinear")(step) for step in steps]
    whole = layers.GlobalAveragePooling2D(keepdims=True)(features)
    sized.append(layers.UpSampling2D((24, 30), interpolation="bilinear")(whole))
    return tf.keras.Model(x, layers.UpSampling2D(2, interpolation="bilinear")(layers.Concatenate()([features, *sized])))


def resize_with_pad(x):
    return tf.image.resize_with_pad(x, 12, 10)


def resize_to(size, method, **more):
    return lambda x: tf.image.resize(x, size, method, **more)


def old_resize(name, **more):
    """TensorFlow 1's function, which has other positions."""
    return lambda x: getattr(tf.compat.v1.image, name)(x, (10, 13), **more)


def crops(x):
    boxes = tf.constant([[0.1, 0.2, 0.8, 0.9], [-0.1, 0, 1.2, 1]])
    return tf.image.crop_and_resize(x, boxes, tf.constant([0, 0]), (6, 7), extrapolation_value=-2.0)


def like_another(x):
    """Resizes the top of a pyramid to the size of the next level, which is arbitrary."""
    small = tf.nn.avg_pool2d(x, 2, 2, "SAME")
    return x + tf.image.resize(small, tf.shape(x)[1:3])


def made_of_shapes(x):
    n = tf.shape(x)[0]
    return (tf.zeros((n, 3)) + tf.fill((n, 1), 0.5), tf.tile(x, (1, 2, 1, 3)), tf.ones_like(x) + x,
            tf.tile(x[:, :1, :1], tf.stack([1, tf.shape(x)[1], 2, 1])))


IMAGE, OTHER = (1, 6, 8, 2), (1, 4, 10, 2)
FUNCTIONS = {
    **{f"upsampling2d-{mode}": lambda mode=mode: sequential(layers.UpSampling2D(2, interpolation=mode))
       for mode in ("nearest", "bilinear", "bicubic")},
    "upsampling2d-anisotropic": lambda: sequential(layers.Conv2D(2, 3), layers.UpSampling2D((3, 2), interpolation="bilinear")),
    "upsampling2d-channels-first": lambda: sequential(layers.UpSampling2D(2, data_format="channels_first")),
    "upsampling1d": lambda: sequential(layers.UpSampling1D(3)),
    "upsampling3d": lambda: sequential(layers.UpSampling3D((2, 1, 2))),
    "repeat-vector": lambda: sequential(layers.RepeatVector(4)),
    **{f"resizing-{mode}": lambda mode=mode: sequential(layers.Resizing(10, 13, interpolation=mode))
       for mode in ("nearest", "bilinear", "bicubic")},
    "resizing-crop": lambda: sequential(layers.Resizing(10, 13, crop_to_aspect_ratio=True)),
    **{f"unet-{mode}": lambda mode=mode: unet(mode) for mode in ("nearest", "bilinear")},
    **{f"image-{mode}": lambda mode=mode: resize_to((9, 5), mode) for mode in ("bilinear", "nearest", "bicubic")},
    "image-old-bilinear": lambda: old_resize("resize_bilinear"),
    "image-old-corners": lambda: old_resize("resize_bilinear", align_corners=True),
    "image-old-nearest": lambda: old_resize("resize_nearest_neighbor"),
    "image-old-nearest-corners": lambda: old_resize("resize_nearest_neighbor", align_corners=True),
    "image-like-another": lambda: like_another,
    "image-with-pad": lambda: resize_with_pad,
    "image-crops": lambda: crops,
    "made-of-shapes": lambda: made_of_shapes,
}
LARGE = {  # not in the repository
    "mobilenet-unet-nearest": lambda: mobilenet_unet("nearest"),
    "mobilenet-unet-bilinear": lambda: mobilenet_unet("bilinear"),
    "pooled-pyramid": pooled_pyramid,
}
SHAPES = {"mobilenet-unet-nearest": ((1, 64, 64, 3), (2, 64, 64, 3)), "mobilenet-unet-bilinear": ((1, 64, 64, 3),) * 2,
          "pooled-pyramid": ((1, 48, 60, 3), (3, 48, 60, 3)),
          "upsampling1d": ((2, 5, 3), (3, 4, 3)), "upsampling3d": ((1, 3, 4, 5, 2), (2, 2, 3, 4, 2)),
          "repeat-vector": ((2, 5), (3, 5))}


# Keras reads the extents of these while it traces.
FIXED = {"upsampling2d-bilinear", "upsampling2d-bicubic", "upsampling2d-anisotropic", "unet-bilinear"}
# Not supported by tf2onnx below opset 11.
OPSETS = {"image-old-bilinear": 9, "image-old-nearest": 10, "upsampling1d": 9, "repeat-vector": 10, "upsampling3d": 9,
          "made-of-shapes": 9, "upsampling2d-nearest": 13, "upsampling2d-bilinear": 15, "unet-bilinear": 18, "image-nearest": 15}


def concrete(name, dynamic):
    """The TensorFlow function and its inputs, of two sizes if it is dynamic."""
    function, (shape, other) = (FUNCTIONS | LARGE)[name](), SHAPES.get(name, (IMAGE, OTHER))
    if isinstance(function, tf.keras.Model):
        function(np.zeros(shape, np.float32))  # builds it
    if name in FIXED:  # only the batch is dynamic
        other = (3, *shape[1:])
    free = [n if n == m else None for n, m in zip(shape, other)] if dynamic else shape
    traced = tf.function(lambda x0: function(x0), input_signature=[tf.TensorSpec(free, tf.float32, name="x0")])
    return traced, [{"x0": np.zeros(s, np.float32)} for s in ((shape, other) if dynamic else (shape,))]


def onnx_model(name, opset, dynamic) -> Export:
    def write(path: pathlib.Path):
        import onnx
        import tf2onnx

        traced, feeds = concrete(name, dynamic)
        model, _ = tf2onnx.convert.from_function(traced, input_signature=traced.input_signature, opset=opset)
        onnx.checker.check_model(model)  # tf2onnx keeps TensorFlow operators that it does not support
        path.with_suffix(".onnx").write_bytes(model.SerializeToString())
        return f"tf2onnx {tf2onnx.__version__}", opset, feeds

    return Export(f"keras-{name}{'-dynamic' if dynamic else ''}-tf2onnx-{opset}", FAMILY, write, recorded=name in FUNCTIONS)


def openvino_model(name, dynamic) -> Export:
    def write(path: pathlib.Path):
        import openvino

        traced, feeds = concrete(name, dynamic)
        model = openvino.convert_model(traced.get_concrete_function())
        openvino.save_model(model, path.with_suffix(".xml"), compress_to_fp16=False)
        return f"openvino.convert_model {openvino.__version__.partition('-')[0]}", 0, feeds

    return Export(f"keras-{name}{'-dynamic' if dynamic else ''}-openvino", FAMILY, write, recorded=name in FUNCTIONS)


def exports() -> list[Export]:
    listed = []
    for k, name in enumerate(FUNCTIONS):
        opset = OPSETS.get(name, (11, 12, 13, 14, 16, 17, 18)[k % 7])
        listed.append(onnx_model(name, opset, k % 3 == 1))
        if k % 3 == 0:
            listed.append(onnx_model(name, max(11, opset), True))
        if k % 3 == 2 and "bicubic" not in name and name != "image-crops":  # not supported by OpenVINO
            listed.append(openvino_model(name, k % 2 == 0))
    for k, name in enumerate(LARGE):
        listed += [onnx_model(name, (11, 13, 15)[k], False), onnx_model(name, (17, 18, 18)[k], True), openvino_model(name, False)]
    return listed


if __name__ == "__main__":
    main(exports(), __doc__)
