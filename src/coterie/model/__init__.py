"""The pieces of the paper's model, each a pure function of arrays and pytrees."""
