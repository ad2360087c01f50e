"""First bytes of files for other chips, and of encrypted files where the toolkit can make them (2.2.0 to 2.3.2).

    python other_files.py
"""
import os
import struct
import tempfile

import networks

folder = tempfile.mkdtemp()
for chip in ("rk3588", "rk3576", "rk3568", "rk3562", "rv1103", "rv1106"):
    path = os.path.join(folder, chip)
    networks.compile(networks.conv(), path, target=chip, quantize=True)
    with open(path, "rb") as file:
        head = file.read(80)
    version, length = struct.unpack_from("<QQ", head, 8)
    print(chip, head[:8], "version %#x" % version, "payload %d of %d bytes" % (length, os.path.getsize(path)),
          "identifier", head[68:72])
    assert head[:8] == b"RKNN\0\0\0\0"
    assert (version, head[68:72] == b"RKNN") == ((0x1004, False) if chip.startswith("rv") else (6, True))

from rknn.api import RKNN

if hasattr(RKNN, "export_encrypted_rknn_model"):
    for level in (1, 2, 3):
        toolkit = RKNN(verbose=False)
        path = os.path.join(folder, "encrypted")
        assert toolkit.export_encrypted_rknn_model(os.path.join(folder, "rk3588"), path, level) == 0
        toolkit.release()
        with open(path, "rb") as file:
            head = file.read(32)
        print("encrypted:", head[:8], struct.unpack_from("<QQQ", head, 8), "of", os.path.getsize(path), "bytes")
        assert head[:8] == b"CYPTRKNN" and struct.unpack_from("<QQQ", head, 8) == (1, level, os.path.getsize(path) - 288)
else:
    print("this toolkit does not encrypt")
print("all assertions hold")
