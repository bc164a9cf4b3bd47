"""What ships has a name, a source and a kind, and is part of the package."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import weightlab
from weightlab import datasets
from weightlab.data import Instances, Leaderboard, Suite
from weightlab.exceptions import UnknownNameError

FOLDER = Path(datasets.__file__).parent
LOADERS = {
    "suite": (datasets.load, Suite),
    "leaderboard": (datasets.load_leaderboard, Leaderboard),
    "instances": (datasets.load_instances, Instances),
}


@pytest.mark.parametrize("kind", LOADERS)
def test_every_name_of_a_kind_loads_as_that_kind(kind):
    load, loaded = LOADERS[kind]
    assert datasets.names(kind)
    for name in datasets.names(kind):
        assert isinstance(load(name), loaded)
        assert kind in datasets.about(name).kinds


@pytest.mark.parametrize("kind", LOADERS)
def test_an_unknown_name_is_refused_with_the_nearest_one(kind):
    load, _ = LOADERS[kind]
    with pytest.raises(UnknownNameError, match=r"did you mean 'classifiers'\?") as caught:
        load("clasifiers")
    assert caught.value.suggestion == "classifiers"
    assert caught.value.kind == kind
    assert caught.value.known == datasets.names(kind)


def test_about_an_unknown_name_suggests_the_nearest_one():
    with pytest.raises(UnknownNameError, match=r"no table named 'votenrank-a2'.*did you mean 'votenrank-a1'\?"):
        datasets.about("votenrank-a2")


def test_a_table_of_a_paper_is_no_suite():
    with pytest.raises(UnknownNameError, match=r"no suite named 'votenrank-a1'; .* has 'classifiers'"):
        datasets.load("votenrank-a1")


def test_an_unknown_kind_is_refused():
    with pytest.raises(UnknownNameError, match=r"no kind named 'leaderbord'.*did you mean 'leaderboard'\?"):
        datasets.names("leaderbord")


def test_the_listing_has_a_title_and_a_source_for_every_name():
    listing = datasets.available()
    assert tuple(listing.index) == datasets.names()
    assert listing.index.is_unique
    assert (listing[["title", "source", "kinds"]].map(len) > 0).all(axis=None)


def test_about_reads_as_a_title_and_a_source():
    about = datasets.about("votenrank-a1")
    assert str(about) == f"{about.title}. Source: {about.source}"


def test_every_table_of_the_folder_is_registered():
    papers = {file.stem for file in (FOLDER / "papers").glob("*.csv")}
    assert papers | {"classifiers"} == set(datasets.names())


def test_the_tables_together_stay_below_a_megabyte():
    assert sum(file.stat().st_size for file in FOLDER.rglob("*") if file.suffix in {".csv", ".toml"}) < 1_000_000


def test_the_package_takes_its_tables_along(tmp_path):
    wheels = pytest.importorskip("hatchling.builders.wheel", reason="hatchling, which builds the package, is absent")
    root = Path(weightlab.__file__).parents[1]
    if not (root / "pyproject.toml").exists():
        pytest.skip("this is the installed package: there is no source tree to build from")
    (built,) = wheels.WheelBuilder(str(root)).build(directory=str(tmp_path), versions=["standard"])
    packed = set(zipfile.ZipFile(built).namelist())
    shipped = {
        file.relative_to(root).as_posix() for file in FOLDER.rglob("*") if file.suffix in {".csv", ".toml", ".py"}
    }
    assert shipped <= packed
