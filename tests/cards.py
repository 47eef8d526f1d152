"""A model card for tests: a small invented model."""

HEAD = """
schema = 1
name = "heron-tiny"
revision = "3"
licence = "MIT"
width = 8
tokens = 64
room = 60
pooling = "mean"
"""

CARD = (
    HEAD
    + """[[origin]]
kind = "folder"
folder = "/srv/heron"
format = "onnx"
files = { weights = "heron.onnx", tokenizer = "tokenizer.json" }
"""
)
