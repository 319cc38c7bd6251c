"""What the entailment model is trained on: labels that are right as pairs are made."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from benchmarks.quality.entailment import further, near_copies, wordnet
from benchmarks.quality.entailment.material import Pair

pytestmark = pytest.mark.slow

HERONS = [
    "The grey heron nests in March.",
    "The colony at Sedge Fen has 46 nests for 120 birds.",
    "Wardens count the birds before sunrise, and visitors may watch from the dam.",
]


def test_a_fault_changes_a_figure_an_opposite_a_role_or_denies() -> None:
    text = HERONS[1]
    doc = near_copies.parser()(text)
    found = {
        near_copies.faulty(text, " ".join(HERONS), doc, random.Random(seed))
        for seed in range(40)
    }
    assert None not in found
    assert text not in found
    assert any("120 nests for 46 birds" in (one or "") for one in found)


def test_figures_joined_by_and_are_not_exchanged() -> None:
    text = "The ferry leaves at 6 and 9."
    assert near_copies.turned(text, random.Random(1)) is None


def test_figures_of_different_things_are_exchanged() -> None:
    text = "The 12 boats carry 80 guests."
    found = near_copies.turned(text, random.Random(1))
    assert found == "The 80 boats carry 12 guests."


def test_only_names_change_places() -> None:
    text = "Ormsby follows Tarn."
    doc = near_copies.parser()(text)
    found = near_copies.roles(text, doc, random.Random(1))
    assert found in (None, "Tarn follows Ormsby.")
    text = "The warden follows the path."
    assert near_copies.roles(text, near_copies.parser()(text), random.Random(1)) is None


def test_a_shorter_statement_says_a_part_of_the_whole() -> None:
    text = HERONS[2]
    doc = near_copies.parser()(text)
    found = {
        near_copies.shortened(text, doc, random.Random(seed)) for seed in range(30)
    }
    assert found == {
        text,
        "Wardens count the birds before sunrise",
        "Visitors may watch from the dam.",
    }


def test_twins_stand_on_one_premise_with_both_labels() -> None:
    pairs = list(near_copies.twins(HERONS, random.Random(3)))
    assert {pair.premise for pair in pairs} == {pairs[0].premise}
    assert {pair.label for pair in pairs} == {0, 1}
    true = {pair.claim for pair in pairs if pair.label == 0}
    assert not true & {pair.claim for pair in pairs if pair.label == 1}


def test_a_title_is_put_before_every_claim_of_a_premise_alike() -> None:
    pairs = [Pair(f"p{n // 2}", f"c{n}", n % 2, "") for n in range(40)]
    found = near_copies.titled(pairs, random.Random(2))
    assert [(one.claim, one.label) for one in found] == [
        (one.claim, one.label) for one in pairs
    ]
    for one, other in zip(found[::2], found[1::2], strict=True):
        assert one.premise == other.premise
    assert 0 < sum(one.premise.startswith("p") for one in found) < 40


def test_an_article_follows_the_new_word() -> None:
    assert near_copies.replaced("a dog", [(2, 5, "otter")]) == "an otter"
    assert near_copies.replaced("an otter", [(3, 8, "dog")]) == "a dog"


def test_a_record_is_read_as_a_page_has_it() -> None:
    fields = {"title": ["Sedge Fen"], "Area": ["46 ha"], "Birds": ["heron", "teal"]}
    found = further.record_premise(fields, "It has herons.", "- **{}**: {}")
    assert found == "Sedge Fen: Area: 46 ha. Sedge Fen: Birds: heron, teal."


def test_what_finds_no_room_is_what_shares_least() -> None:
    fields = {"title": ["Fen"]} | {f"Key {n}": ["x" * 90] for n in range(9)}
    fields["Birds"] = ["heron"]
    found = further.record_premise(fields, "A heron, and 7.", "{}: {}\n")
    assert "heron" in found
    assert "Key 7" in found
    assert len(found) <= further.LONGEST + 120


def test_records_of_both_files(tmp_path: Path) -> None:
    (tmp_path / "maindata").mkdir()
    (tmp_path / "tables" / "json").mkdir(parents=True)
    (tmp_path / "tables" / "json" / "T1.json").write_text(
        json.dumps({"title": ["Fen"], "Area": ["46 ha"]}), "utf-8"
    )
    (tmp_path / "maindata" / "a.tsv").write_text(
        "annotater_id\ttable_id\thypothesis\tlabel\n"
        "G\tT1\tThe fen has 46 hectares.\tE\n"
        "G\tT1\tThe fen has 40 hectares.\tC\n"
        "G\tT1\tThe fen is old.\tN\n",
        "utf-8",
    )
    found = list(further.records(tmp_path))
    assert [label for _, _, label in found] == [
        "entailment",
        "contradiction",
        "neutral",
    ]
    assert len({premise for premise, _, _ in found}) == 1


def test_one_row_of_a_large_table_is_found_again() -> None:
    rows = [["town", "boats"], *([f"town {n}", str(n)] for n in range(20))]
    found = further.nearest_rows(rows, "town 17 has 17 boats")
    assert found[0] == ["town", "boats"]
    assert ["town 17", "17"] in found
    assert len(found) == 4


def test_statements_on_many_rows_are_left_out_of_large_tables() -> None:
    assert further.OF_ALL_ROWS.search("the largest town has 9 boats")
    assert further.OF_ALL_ROWS.search("there are two towns")
    assert not further.OF_ALL_ROWS.search("ormsby has 9 boats")


def test_a_broken_table_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a#b\n1#2#3\n", "utf-8")
    assert further.table_rows(path) == []
    path.write_text("a#b\n1#x|y\n", "utf-8")
    assert further.table_rows(path) == [["a", "b"], ["1", "x/y"]]


def test_one_label_does_not_flood_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    many = further.MOST_OF_A_LABEL + 50
    lines = [f"{n}\tp{n}\tc\tCONTRADICTION" for n in range(many)]
    path.write_text("\n".join([*lines, "1\tp\tc\tENTAILMENT"]), "utf-8")
    labels = [label for _, _, label in further.numbered(path)]
    assert labels.count("contradiction") == further.MOST_OF_A_LABEL
    assert labels.count("entailment") == 1


def test_what_is_only_not_entailed_has_no_label(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(
        b"index\tText\tHypothesis\tgold_label\n"
        b"0\tIt \x97 rains.\tIt rains.\tentailment\n"
        b"1\tIt rains.\tIt snows.\tnot_entailment\n"
    )
    assert list(further.negation(path)) == [("It — rains.", "It rains.", "entailment")]


def test_words_mean_the_same_only_in_the_sense_they_are_mostly_used_in(
    tmp_path: Path,
) -> None:
    """Two verbs share their first sense; a third shares only its rare second one."""
    (tmp_path / "index.verb").write_text(
        "  1 licence\n"
        "begin v 1 0 1 1 00000001\n"
        "start v 1 0 1 1 00000001\n"
        "get v 2 0 2 2 00000002 00000001\n",
        "utf-8",
    )
    (tmp_path / "data.verb").write_text(
        "  1 licence\n"
        "00000001 30 v 03 begin 0 start 0 get 0 001 ! 00000003 v 0101 | set out\n"
        "00000002 30 v 01 get 0 000 | obtain\n"
        "00000003 30 v 01 end 0 000 | stop\n",
        "utf-8",
    )
    for part in ("noun", "adj", "adv"):
        (tmp_path / f"index.{part}").write_text("", "utf-8")
        (tmp_path / f"data.{part}").write_text("", "utf-8")
    (tmp_path / "cntlist.rev").write_text(
        "begin%2:30:00:: 1 20\nstart%2:30:00:: 1 9\nget%2:30:01:: 1 90\n"
        "get%2:30:00:: 2 4\n",
        "utf-8",
    )
    found = set(wordnet.pairs(tmp_path))
    assert found == {
        ("VERB", "begin", "start", "same"),
        ("VERB", "start", "begin", "same"),
    }


def test_an_onnx_encoder_gives_its_weights_back(tmp_path: Path) -> None:
    """A matrix without a name of its own is named after the bias added to it."""
    onnx = pytest.importorskip("onnx")
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    from benchmarks.quality.entailment import base

    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    bias = np.ones(3, dtype=np.float32)
    name = "encoder.layer.0.output.dense.bias"
    graph = helper.make_graph(
        [
            helper.make_node("MatMul", ["x", "onnx::7"], ["product"]),
            helper.make_node("Add", ["product", name], ["y"]),
        ],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3])],
        [
            numpy_helper.from_array(matrix, "onnx::7"),
            numpy_helper.from_array(bias, name),
        ],
    )
    path = tmp_path / "m.onnx"
    onnx.save(helper.make_model(graph), str(path))
    found = base.weights(path)
    assert set(found) == {name, "encoder.layer.0.output.dense.weight"}
    assert (found["encoder.layer.0.output.dense.weight"] == matrix.T).all()
