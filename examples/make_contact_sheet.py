# SPDX-License-Identifier: Apache-2.0
"""Writes contact_sheet.onnx, the model of `make demo`: a photograph becomes a sheet of nine framed prints.

    photo [height, width, 3] -> sheet [3 * print height, 3 * print width, 3], both uint8

    print   = Resize(photo)            at most 240 x 240, cubic with antialias; the crop extends 3 % beyond the photo
                                       and extrapolates white there: the frame
    grid    = ConstantOfShape([2])     [3, 3]
    repeats = Resize(grid)             [3, 3, 1]: nearest at positions 0, 1 and 2; position 2 is extrapolated to 1
    sheet   = Tile(print, repeats)
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

PRINTS_PER_SIDE = 3
PRINT_EXTENT = 240
FRAME = 0.03
WHITE = 255.0


def contact_sheet() -> onnx.ModelProto:
    nodes = [
        helper.make_node(
            "ConstantOfShape",
            ["grid_shape"],
            ["grid"],
            name="grid",
            value=numpy_helper.from_array(np.array([PRINTS_PER_SIDE], np.int64)),
        ),
        helper.make_node(
            "Resize",
            ["grid", "grid_and_beyond", "", "repeats_shape"],
            ["repeats"],
            name="repeats",
            mode="nearest",
            coordinate_transformation_mode="tf_crop_and_resize",
            extrapolation_value=1.0,
        ),
        helper.make_node(
            "Resize",
            ["photo", "photo_and_frame", "", "print_extents"],
            ["print"],
            name="print",
            mode="cubic",
            antialias=1,
            axes=[0, 1],
            keep_aspect_ratio_policy="not_larger",
            coordinate_transformation_mode="tf_crop_and_resize",
            extrapolation_value=WHITE,
        ),
        helper.make_node("Tile", ["print", "repeats"], ["sheet"], name="sheet"),
    ]
    constants = {
        "grid_shape": np.array([2], np.int64),
        "grid_and_beyond": np.array([0, 2], np.float32),
        "repeats_shape": np.array([3], np.int64),
        "photo_and_frame": np.array([-FRAME, -FRAME, 1 + FRAME, 1 + FRAME], np.float32),
        "print_extents": np.array([PRINT_EXTENT, PRINT_EXTENT], np.int64),
    }
    graph = helper.make_graph(
        nodes,
        "contact_sheet",
        [helper.make_tensor_value_info("photo", TensorProto.UINT8, ["height", "width", 3])],
        [helper.make_tensor_value_info("sheet", TensorProto.UINT8, ["sheet_height", "sheet_width", 3])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=11)
    onnx.checker.check_model(model, full_check=True)
    return model


if __name__ == "__main__":
    onnx.save(contact_sheet(), Path(__file__).with_name("contact_sheet.onnx"))
