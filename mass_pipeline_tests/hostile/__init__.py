"""Generators of inputs made to hurt: pages, files and answers of any size whose reading may cost more than it should.

Written before the readers were bettered, each after a mechanism and not after its code. Nothing here measures or judges;
`test_growth.py` judges.
"""

from mass_pipeline_tests.hostile.shapes import READERS, SHAPES, Shape, shape

__all__ = ["READERS", "SHAPES", "Shape", "shape"]
