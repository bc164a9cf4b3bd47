"""PrefLib files of orders: what is written reads back, what others write is read, and faults are named."""

from __future__ import annotations

import io
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weightlab as wl
from tests import peer
from tests.io.strategies import voted_profiles
from weightlab.exceptions import FileFormatError, InputError

EXAMPLES = settings(max_examples=40)

HEAD = "# NUMBER ALTERNATIVES: 3\n# ALTERNATIVE NAME 1: ada\n# ALTERNATIVE NAME 2: bo\n# ALTERNATIVE NAME 3: cy\n"
OLD = "3\n1,ada\n2,bo, the second\n3,cy\n"


def read(text, kind="toi"):
    return wl.io.read_profile(io.StringIO(text), format=kind, unlisted="unknown")


def electorate(profile):
    """Return the weight behind every order."""
    weights = {}
    for order, weight in zip(profile.orders, profile.weights, strict=True):
        weights[order] = weights.get(order, 0) + weight
    return weights


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("orders")


@EXAMPLES
@given(profile=voted_profiles())
def test_the_electorate_behind_every_order_reads_back(folder, profile):
    wl.io.write_profile(profile, folder / "votes.toi", title="any")
    again = wl.io.read_profile(folder / "votes.toi", unlisted="unknown")
    assert again.models == profile.models
    assert electorate(again) == electorate(profile)
    assert again.margins().frame().equals(profile.margins().frame())


@EXAMPLES
@given(profile=voted_profiles(), kind=st.sampled_from(["soc", "soi", "toc", "toi"]))
def test_an_extension_holds_just_the_profiles_it_promises(folder, profile, kind):
    fits = (kind[0] == "t" or profile.is_strict) and (kind[2] == "i" or profile.is_complete)
    path = folder / f"votes.{kind}"
    if fits:
        wl.io.write_profile(profile, path)
        assert electorate(wl.io.read_profile(path, unlisted="unknown")) == electorate(profile)
        return
    with pytest.raises(InputError, match=rf"a \.{kind} file holds"):
        wl.io.write_profile(profile, path)


@EXAMPLES
@given(profile=voted_profiles(weights=[1, "1/3", "0.25", 2]))
def test_scaling_keeps_the_shares_of_all_orders(folder, profile):
    wl.io.write_profile(profile, folder / "scaled.toi", scaled=True)
    again = wl.io.read_profile(folder / "scaled.toi", unlisted="unknown")
    ours, theirs = electorate(profile), electorate(again)
    assert {order: weight / sum(ours.values()) for order, weight in ours.items()} == {
        order: weight / sum(theirs.values()) for order, weight in theirs.items()
    }


def test_part_of_a_voter_is_refused_and_the_factor_named(tmp_path):
    profile = wl.Profile.from_orders([["a", "b"], ["b", "a"]], weights=["1/2", "1/3"])
    with pytest.raises(InputError, match=r"'1' weighs 1/2.*scaled=True to multiply by 6"):
        wl.io.write_profile(profile, tmp_path / "votes.soc")
    assert not (tmp_path / "votes.soc").exists()


@pytest.mark.parametrize("name", [" padded", "two\nlines", "old\rmac", "nul\0"])
def test_a_name_that_would_not_read_back_is_refused(tmp_path, name):
    profile = wl.Profile.from_orders([[name, "b"]])
    with pytest.raises(InputError, match="name"):
        wl.io.write_profile(profile, tmp_path / "votes.soc")


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileFormatError, match=r"cannot be written: No such file"):
        wl.io.write_profile(wl.Profile.from_orders([["a", "b"]]), tmp_path / "none" / "votes.soc")


def test_the_form_of_the_older_collections_is_read():
    profile = read(f"{OLD}5,5,2\n3,1,{{2,3}}\n2,2\n")
    assert profile.models == ("ada", "bo, the second", "cy")
    assert profile.orders == ((("ada",), ("bo, the second", "cy")), (("bo, the second",),))
    assert profile.weights == (Fraction(3), Fraction(2))


def test_equal_rows_stay_voters_of_their_own():
    assert read(f"{HEAD}# NUMBER VOTERS: 3\n# NUMBER UNIQUE ORDERS: 1\n2: 1,2,3\n1: 1, 2, 3\n").weights == (2, 1)


def test_numbers_of_alternatives_may_have_gaps_and_any_order():
    profile = read("# ALTERNATIVE NAME 7: b\n# ALTERNATIVE NAME 2: a\n1: 7,2\n", "soc")
    assert profile.models == ("a", "b")
    assert profile.orders == ((("b",), ("a",)),)


FAULTS = [
    ("toi", f"{HEAD}1: 1,4\n", "line 5: alternative 4 has no name in the header"),
    ("toi", f"{HEAD}1: 1,{{2,1}}\n", "line 5: alternative 1 is ranked twice"),
    ("toi", f"{HEAD}1: 1,{{2\n", r"line 5: '1: 1,\{2' is not a row such as '3: 1,\{2,4\}'"),
    ("toi", f"{HEAD}-1: 1\n", "is not a row such as"),
    ("toi", f"{HEAD}1.5: 1\n", "is not a row such as"),
    ("soi", f"{HEAD}1: 1,{{2,3}}\n", r"line 5: 2 and 3 tie; a \.soi file holds strict orders"),
    ("toc", f"{HEAD}1: 1,2\n", r"line 5: alternative 3 is not ranked; a \.toc file holds complete orders"),
    ("toi", f"{HEAD}# NUMBER VOTERS: 7\n1: 1,2\n", "NUMBER VOTERS says 7, and there are 1 voter"),
    ("toi", f"{HEAD}# NUMBER UNIQUE ORDERS: 7\n1: 1,2\n", "NUMBER UNIQUE ORDERS says 7"),
    ("toi", f"{HEAD}# DATA TYPE: soc\n1: 1,2\n", "DATA TYPE says 'soc', and the file is read as 'toi'"),
    ("toi", HEAD, "there is no row below the header"),
    ("toi", f"{HEAD}# ALTERNATIVE NAME 4: ada\n1: 1\n", "alternatives 1 and 4 are both called 'ada'"),
    ("toi", f"{HEAD}# ALTERNATIVE NAME 4: dee\n1: 1\n", "NUMBER ALTERNATIVES says 3, and there are 4 named"),
    ("toi", f"{HEAD}# ALTERNATIVE NAME 1: dee\n1: 1\n", "line 5: alternative 1 is already called 'ada'"),
    ("toi", f"{HEAD}# ALTERNATIVE NAME 4:\n1: 1\n", "line 5: alternative 4 has an empty name"),
    ("toi", "# TITLE: none\n1: 1\n", "no alternative is named"),
    ("toi", f"{HEAD}0: 1,2\n", "all weights are 0"),
    ("toi", "model,x\na,1\n", "line 1: 'model,x' is neither a header line"),
    ("toi", "2\n1,a\nb\n1,1,1\n1,1\n", "line 3: 'b' is not a name of an alternative"),
    ("toi", "2\n1,a\n2,b\n1,1,2\n", "there is no row"),
    ("toi", "2\n1,a\n2,b\n", "the names must be followed by"),
    ("toi", f"{OLD}5,5,2\n3,1,2\n", "SUM OF COUNTS says 5, and there are 3 voters"),
    ("toi", f"{OLD}1,1,1\nx\n", r"is not a row such as '3,1,\{2,4\}'"),
]


@pytest.mark.parametrize(("kind", "text", "message"), FAULTS)
def test_what_is_wrong_is_named_with_its_line(kind, text, message):
    with pytest.raises(FileFormatError, match=message):
        read(text, kind)


def test_all_faults_are_listed_at_once():
    with pytest.raises(FileFormatError) as caught:
        read(f"{HEAD}1: 1,4\n1: 2,2\n1: x\n")
    assert len(caught.value.faults) == 3


def test_an_unknown_extension_names_the_known_ones(tmp_path):
    (tmp_path / "votes.txt").write_text(HEAD)
    told = r"no rankings: lines such as '3: A > B = C', a table of judges or \.soc, \.soi, \.toc, \.toi are needed"
    with pytest.raises(FileFormatError, match=told):
        wl.io.read_profile(tmp_path / "votes.txt")
    with pytest.raises(FileFormatError, match=told):
        wl.io.read_profile(io.StringIO(HEAD))


def preflibtools_orders(path):
    """Return what preflibtools reads: names, and the multiplicity of every order."""
    from preflibtools.instances import OrdinalInstance

    instance = OrdinalInstance(path)
    return list(instance.alternatives_name.values()), instance.vote_map(), instance.num_voters


def preflibtools_written(path, votes, names):
    """Write a file with preflibtools."""
    from preflibtools.instances import OrdinalInstance

    instance = OrdinalInstance()
    instance.append_vote_map(votes)
    instance.alternatives_name = names
    instance.num_alternatives = len(names)
    instance.data_type = instance.infer_type()
    instance.write(f"{path}.{instance.data_type}")
    return instance.data_type


def numbered(profile):
    """Return the electorate with models as their numbers."""
    place = {model: number for number, model in enumerate(profile.models, start=1)}
    return {
        tuple(tuple(place[model] for model in tied) for tied in order): int(weight)
        for order, weight in electorate(profile).items()
    }


@pytest.mark.peers
@settings(max_examples=15)
@given(profile=voted_profiles())
def test_preflibtools_reads_what_is_written(folder, profile):
    wl.io.write_profile(profile, folder / "theirs.toi")
    names, votes, voters = peer.asked("preflibtools", preflibtools_orders, str(folder / "theirs.toi"))
    assert names == list(profile.models)
    assert votes == numbered(profile)
    assert voters == sum(profile.weights)


@pytest.mark.peers
@settings(max_examples=15)
@given(profile=voted_profiles().filter(lambda profile: all(profile.orders)))
def test_what_preflibtools_writes_is_read(folder, profile):
    names = dict(enumerate(profile.models, start=1))
    kind = peer.asked("preflibtools", preflibtools_written, str(folder / "ours"), numbered(profile), names)
    again = wl.io.read_profile(folder / f"ours.{kind}", unlisted="unknown")
    assert again.models == profile.models
    assert electorate(again) == electorate(profile)
