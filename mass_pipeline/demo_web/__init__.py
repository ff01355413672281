"""A bundled web of made-up parishes on loopback: directory, Places emulator and sites, served over real HTTP."""

from mass_pipeline.demo_web.annotations import Annotation, LabelledAnnouncement, match_annotations
from mass_pipeline.demo_web.places import Place, PlacesEmulator, book_from_mapping
from mass_pipeline.demo_web.web import DemoParish, DemoWeb

__all__ = [
    "Annotation",
    "DemoParish",
    "DemoWeb",
    "LabelledAnnouncement",
    "Place",
    "PlacesEmulator",
    "book_from_mapping",
    "match_annotations",
]
