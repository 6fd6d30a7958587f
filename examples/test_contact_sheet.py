# SPDX-License-Identifier: Apache-2.0
"""The demo's model: the script produces the file, and Tesela's result matches the ONNX reference."""

import os
import subprocess
from pathlib import Path

import numpy as np
from make_contact_sheet import contact_sheet
from onnx.reference import ReferenceEvaluator

HERE = Path(__file__).parent
# The program is next to the library under test.
PROGRAM = Path(os.environ.get("TESELA_LIBRARY", HERE.parent / "build" / "libtesela.so")).with_name("tesela")


def test_file_is_what_the_script_writes():
    assert (HERE / "contact_sheet.onnx").read_bytes() == contact_sheet().SerializeToString()


def test_sheet_equals_the_reference(tmp_path):
    photo = np.random.default_rng(1).integers(0, 256, (301, 257, 3), dtype=np.uint8)
    np.save(tmp_path / "photo.npy", photo)
    command = [PROGRAM, "run", HERE / "contact_sheet.onnx"]
    command += ["-i", f"photo={tmp_path}/photo.npy", "-o", f"sheet={tmp_path}/sheet.npy"]
    subprocess.run(command, check=True)

    sheet = np.load(tmp_path / "sheet.npy")
    expected = ReferenceEvaluator(contact_sheet()).run(None, {"photo": photo})[0]
    assert sheet.dtype == np.uint8 and sheet.shape == expected.shape
    # The reference truncates where Tesela rounds to nearest.
    assert np.abs(sheet.astype(int) - expected).max() <= 1
