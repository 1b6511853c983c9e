"""What the paper was run with. Its figures are pictures; what its text says of them is the order.

"Averaged across the five datasets, ICET has the lowest average cost" (section 4.1); the four other learners
ignore what mistakes cost, and ICET spends more on tests and makes fewer mistakes, the more those cost.
"""

from __future__ import annotations

DATA_SETS = ("liver-disorders-drinks", "heart-cleveland-2class", "hepatitis", "diabetes", "ann-thyroid")
"""By our names; the paper's: BUPA Liver Disorders, Heart, Hepatitis, Pima Indians Diabetes, Thyroid."""

ICET = "icet"
OTHERS = ("eg2", "cs-id3", "idx", "c45")
LEARNERS = (ICET, *OTHERS)

PENALTIES = (10.0, 50.0, 100.0, 500.0, 1000.0, 5000.0, 10000.0)
"""What a mistake costs, in Canadian dollars, as tests do."""

THYROID, THYROID_TRAINING = "ann-thyroid", 3772
"""The data set that comes in a training and a test file, and the cases of the first."""
