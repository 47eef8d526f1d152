raise RuntimeError("out of paper")
