"""The kinds of cases, and how much of the time each has."""

from functools import partial

from fuzz.campaign.captures import read_hostile
from fuzz.campaign.cost_files import READERS, read_and_use
from fuzz.campaign.frames import fit_and_ask
from fuzz.campaign.kind import Kind
from fuzz.campaign.model_files import TEMPLATES, load_and_ask

KINDS = (
    *(
        Kind("model files", name, partial(load_and_ask, name), share)
        for name, share in zip(TEMPLATES, (35, 6, 6, 6, 3, 6), strict=True)
    ),
    *(
        Kind("frames", name, partial(fit_and_ask, name), share)
        for name, share in (("classes", 17), ("regression", 5), ("learners", 9))
    ),
    *(Kind("cost files", name, partial(read_and_use, name), 7 / len(READERS)) for name in READERS),
    Kind("captures", "pcap and pcapng", read_hostile, 3),
)
