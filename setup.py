"""Which packages a wheel holds: the layers of this folder, as `claimscope.*`.

An install, editable or not, takes them from where they are; the links in
`.src/claimscope` are only for tools that read the code without one.
"""

from setuptools import find_namespace_packages, setup

LAYERS = ("core", "stores", "tui", "themes", "testsets")

packages, places = ["claimscope"], {"claimscope": ".src/claimscope"}
for layer in LAYERS:
    places[f"claimscope.{layer}"] = layer
    packages.append(f"claimscope.{layer}")
    packages += [f"claimscope.{layer}.{one}" for one in find_namespace_packages(layer)]

setup(packages=packages, package_dir=places)
