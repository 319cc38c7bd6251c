"""Units of measure: what a number counts, so that 5 miles can be 8 km.

A unit is a dimension and a factor to the dimension's base. Two units of one
dimension convert either exactly (minutes and hours) or with a rounding (miles and
kilometres); the family tells which.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache


@dataclass(frozen=True)
class Unit:
    """A unit: base = value·factor + offset, which only temperatures have."""

    dimension: str
    factor: float = 1.0
    family: str = ""
    """Units of one dimension and family convert exactly."""
    offset: float = 0.0
    per: Unit | None = None

    @property
    def key(self) -> str:
        """Dimension with its denominator; only equal keys can be compared."""
        return f"{self.dimension}/{self.per.key}" if self.per else self.dimension

    @property
    def scale(self) -> float:
        """Factor to the base, the denominator's taken in."""
        return self.factor / (self.per.factor if self.per else 1.0)

    @property
    def lineage(self) -> str:
        """Families of numerator and denominator."""
        return f"{self.family}/{self.per.family}" if self.per else self.family

    def base(self, value: float) -> float:
        """A value in the dimension's base unit."""
        return value * self.scale + self.offset


# dimension | family | factor | spellings (lower case unless marked with =)
_TABLE = """
percent||1|% percent per_cent pct
percent||0.1|‰
points||1|percentage_point percentage_points
points||0.01|basis_point basis_points bps
length|metric|1e-9|nm nanometre nanometres nanometer nanometers
length|metric|1e-6|µm μm um micrometre micrometres micrometer micrometers micron microns
length|metric|1e-3|mm millimetre millimetres millimeter millimeters
length|metric|1e-2|cm centimetre centimetres centimeter centimeters
length|metric|1|m metre metres meter meters
length|metric|1e3|km kilometre kilometres kilometer kilometers kms
length|imperial|0.0254|inch inches
length|imperial|0.3048|ft foot feet
length|imperial|0.9144|yd yard yards
length|imperial|1609.344|mi mile miles
length|nautical|1852|nautical_mile nautical_miles
mass|metric|1e-9|ng nanogram nanograms
mass|metric|1e-6|µg μg ug mcg microgram micrograms
mass|metric|1e-3|mg milligram milligrams
mass|metric|1|g gram grams gramme grammes
mass|metric|1e3|kg kilogram kilograms kilo kilos
mass|metric|1e6|tonne tonnes
mass|imperial|28.349523125|oz ounce ounces
mass|imperial|453.59237|lb lbs
volume|metric|1e-6|µl μl ul microlitre microlitres
volume|metric|1e-3|ml millilitre millilitres milliliter milliliters cc
volume|metric|1e-2|cl centilitre centilitres
volume|metric|0.1|dl decilitre decilitres deciliter
volume|metric|1|l litre litres liter liters
volume|metric|1e3|m3 m³ cubic_metre cubic_metres cubic_meter cubic_meters
volume|imperial|4.54609|gallon gallons
volume|imperial|0.568261|pint pints
volume|spoon|1.5e-2|tbsp tablespoon tablespoons
volume|spoon|5e-3|tsp teaspoon teaspoons
area|metric|1|m2 m² sq_m square_metre square_metres square_meter square_meters
area|metric|1e4|ha hectare hectares
area|metric|1e6|km2 km² sq_km square_kilometre square_kilometres square_kilometer
area|imperial|0.09290304|square_foot square_feet sq_ft
area|imperial|2589988.11|square_mile square_miles sq_mi
area|imperial|4046.8564|acre acres
time|clock|1e-9|ns nanosecond nanoseconds
time|clock|1e-6|µs μs microsecond microseconds
time|clock|1e-3|ms millisecond milliseconds
time|clock|1|s sec secs second seconds
time|clock|60|min mins minute minutes
time|clock|3600|h hr hrs hour hours
time|clock|86400|day days
time|clock|604800|week weeks wk wks
time|clock|1209600|fortnight fortnights
time|calendar|2629800|month months
time|calendar|31557600|year years yr yrs
time|calendar|315576000|decade decades
time|calendar|3155760000|century centuries
time|calendar|31557600000|millennium millennia
energy|si|1|j joule joules
energy|si|1e3|kj kilojoule kilojoules
energy|calorie|4184|kcal kilocalorie kilocalories
energy|watt|3.6e3|wh watt-hour watt-hours
energy|watt|3.6e6|kwh kilowatt-hour kilowatt-hours
energy|watt|3.6e9|mwh megawatt-hour megawatt-hours
energy|watt|3.6e12|gwh gigawatt-hour gigawatt-hours
power|si|1e-3|mw_
power|si|1|w watt watts
power|si|1e3|kw kilowatt kilowatts
power|si|1e6|megawatt megawatts
power|si|1e9|gw gigawatt gigawatts
power|horse|745.7|hp bhp horsepower
data|bytes|1|byte bytes
data|bytes|1e3|kb kilobyte kilobytes
data|bytes|1e6|mb megabyte megabytes
data|bytes|1e9|gb gigabyte gigabytes
data|bytes|1e12|tb terabyte terabytes
data|binary|1024|kib kibibyte kibibytes
data|binary|1048576|mib mebibyte mebibytes
data|binary|1073741824|gib gibibyte gibibytes
data|binary|1099511627776|tib tebibyte tebibytes
data|bits|0.125|bit bits
data|bits|125|kbit kbits kilobit kilobits
data|bits|1.25e5|mbit mbits megabit megabits
data|bits|1.25e8|gbit gbits gigabit gigabits
amount|si|1e-9|nmol nanomole nanomoles
amount|si|1e-6|µmol μmol umol micromole micromoles
amount|si|1e-3|mmol millimole millimoles
amount|si|1|mol mole moles
pressure|si|1e3|kpa kilopascal kilopascals
pressure|mercury|133.322|mmhg
pressure|bar|1e5|bar bars
pressure|pounds|6894.757|psi
frequency|si|1|hz hertz
frequency|si|1e3|khz kilohertz
frequency|si|1e6|mhz megahertz
frequency|si|1e9|ghz gigahertz
voltage|si|1e-3|mv millivolt millivolts
voltage|si|1|v volt volts
charge|si|1e-3|mah milliamp-hour milliamp-hours
charge|si|1|ah amp-hour amp-hours
voltage|si|1e3|kv kilovolt kilovolts
sound||1|db decibel decibels
iu||1|iu
dollar||1|$ usd dollar dollars us$
dollar||0.01|cent cents ¢
euro||1|€ eur euro euros
pound||1|£ gbp
pound||0.01|pence
yen||1|¥ jpy yen
franc||1|chf franc francs
aud||1|aud
cad||1|cad
nzd||1|nzd
sek||1|sek
nok||1|nok
dkk||1|dkk
pounds||1|pound pounds
"""
_PER = re.compile(r"\s*(?:/|\bper\b|\ban?\b|\beach\b)\s*", re.I)
_TOKEN = re.compile(
    r"\s?(?:°\s?[CFK]\b|degrees?\s+(?:celsius|centigrade|fahrenheit)\b|[%‰$€£¥¢]"
    r"|per\s?cent\b|(?:percentage|basis)\s+points?\b|(?:cubic|square|nautical|sq\.?)\s+\w+|km/h\b|US\s+dollars?\b"
    r"|[A-Za-zµμ]+[²³23]?(?:-hours?)?)",
    re.I,
)
_CELSIUS = Unit("temperature", 1.0, "celsius")
_FAHRENHEIT = Unit("temperature", 5 / 9, "fahrenheit", -32 * 5 / 9)
_SINGLE_LETTERS = frozenset("mglsh")
_CAPITALS = frozenset("WJV")
"""Watt, joule and volt; no other single letters are written large, but L."""
_SPEEDS = {"km/h": "km", "kph": "km", "mph": "mile", "knot": "nautical mile"}
_BIT_RATES = {"kbps": "kbit", "mbps": "mbit", "gbps": "gbit"}


@cache
def _units() -> dict[str, Unit]:
    found: dict[str, Unit] = {}
    for line in _TABLE.strip().splitlines():
        dimension, family, factor, spellings = line.split("|")
        for spelling in spellings.split():
            found[spelling.replace("_", " ").strip()] = Unit(
                dimension, float(factor), family
            )
    return found


def unit_named(word: str) -> Unit | None:
    """The unit of a word. `m`, `g`, `s` are units in lower case only, `L` in both."""
    text = " ".join(word.split())
    low = text.lower()
    if low.startswith(("°", "degree")):
        return _FAHRENHEIT if "f" in low.lstrip("°degrs ") else _CELSIUS
    if len(text) == 1 and text.isalpha():
        is_unit = text in _CAPITALS or text == "L" or text in _SINGLE_LETTERS
        return _units()[low] if is_unit else None
    low = low.removeprefix("us ").replace("sq. ", "sq ")
    if low.removesuffix("s") in _SPEEDS:
        distance = _units()[_SPEEDS[low.removesuffix("s")]]
        return replace(distance, per=_units()["h"])
    if low == "percent" or low.replace(" ", "") == "percent":
        return _units()["%"]
    if text == "MW":
        return _units()["megawatt"]
    if low in _BIT_RATES:
        return replace(_units()[_BIT_RATES[low]], per=_units()["s"])
    return _units().get(low)


def unit_at(text: str, position: int) -> tuple[Unit, int] | None:
    """(unit, where it ends) of a unit that begins at `position`, a space before it
    allowed; with its denominator: `mg/kg`, `km per hour`."""
    match = _TOKEN.match(text, position)
    if match is None:
        return None
    unit = unit_named(match.group().strip())
    if unit is None:
        return None
    end = match.end()
    per = _denominator(text, end)
    if per is not None:
        below, end = per
        unit = Unit(unit.dimension, unit.factor, unit.family, unit.offset, below)
    return unit, end


def rate_at(text: str, position: int) -> tuple[Unit, int] | None:
    """(unit, end) of a bare rate: `22/min`, `22 breaths per minute`."""
    word = re.compile(r"\s?[A-Za-z]+(?=\s+(?:per|a|an)\s)").match(text, position)
    per = _denominator(text, word.end() if word else position)
    if per is None:
        return None
    return Unit("count", per=per[0]), per[1]


def _denominator(text: str, position: int) -> tuple[Unit, int] | None:
    per = _PER.match(text, position)
    if per is None or per.end() == position:
        return None
    match = re.compile(r"[A-Za-zµμ]+[²³23]?").match(text, per.end())
    unit = unit_named(match.group()) if match else None
    if match is None or unit is None:
        return None
    return unit, match.end()
