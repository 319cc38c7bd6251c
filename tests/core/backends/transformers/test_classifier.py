"""Classifiers for real: tiny ones with weights set by hand, made here.

They know one thing: "red" in a text supports "scarlet" in a claim and contradicts
"navy", "blue" the reverse, and without a colour there is nothing to say.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import socket
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from claimscope.core.backends.onnx.entailment import shipped_model
from claimscope.core.backends.transformers.classifier import Classifier
from claimscope.core.backends.transformers.classifier_folder import classifier_folder
from claimscope.core.errors import ModelError, SettingsError
from claimscope.core.models import Evidence, Label, Verdict
from claimscope.core.ports import Embedder, PairProbabilities, Question
from claimscope.core.settings import Settings
from claimscope.core.verify.verifier import EvidenceVerifier
from claimscope.core.verify.witnesses.classifier import ClassifierVerifier
from claimscope.stores.runs.run_store import DiskRunStore
from claimscope.stores.workspace.paths import Workspace
from claimscope.tui.bootstrap import judges
from claimscope.tui.cli import main
from tests.doubles import fakes

pytestmark = pytest.mark.slow

SIGNS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
RED, BLUE, SCARLET, NAVY, FIRM, SAYS_YES, SAYS_NO = 0, 1, 2, 3, 10, 4, 5
COLOURS = {"red": RED, "blue": BLUE, "scarlet": SCARLET, "navy": NAVY}
WORDS = [*SIGNS, *COLOURS, *"the lamp is gate was painted by crew . , [ … ]".split()]
SIZE, LONGEST = 16, 64
NAMES = ("entailment", "neutral", "contradiction")
HEADS = {  # rows over (says yes, says no), each about ±1
    "entailment": (6.0, 0.0),
    "neutral": (-3.0, -3.0),
    "contradiction": (0.0, 6.0),
}


def body(model: Any) -> None:
    """Sets the weights below the last layer: one attention head finds the colour of
    the text, one that of the claim; the units after them say whether they agree.
    Two opposite large values in each word keep layer norms from changing the rest."""
    import torch

    big = 20.0
    with torch.no_grad():
        for name, weight in model.named_parameters():
            # A norm divides by the standard deviation; its weight puts it back.
            scale = big * (2 / SIZE) ** 0.5 if "LayerNorm.weight" in name else 0.0
            weight.fill_(scale)
        words = model.bert.embeddings.word_embeddings.weight
        words[:, FIRM], words[:, FIRM + 1] = big, -big
        for word, place in COLOURS.items():
            words[WORDS.index(word), place] = 1.0
        layer = model.bert.encoder.layer[0]
        attention = layer.attention.self
        for head, colours in ((0, (RED, BLUE)), (SIZE // 2, (SCARLET, NAVY))):
            attention.query.weight[head, FIRM] = 1 / big
            for offset, colour in enumerate(colours):
                attention.key.weight[head, colour] = 60.0
                attention.value.weight[head + offset, colour] = 1.0
                layer.attention.output.dense.weight[colour, head + offset] = 1.0
        pairs = ((RED, SCARLET), (BLUE, NAVY), (RED, NAVY), (BLUE, SCARLET))
        for unit, (seen, claimed) in enumerate(pairs):
            layer.intermediate.dense.weight[unit, [seen, claimed]] = 1.0
            layer.intermediate.dense.bias[unit] = -1.2
            outcome = SAYS_YES if unit < 2 else SAYS_NO
            layer.output.dense.weight[outcome, unit] = 2.0
        for outcome in (SAYS_YES, SAYS_NO):
            model.bert.pooler.dense.weight[outcome, outcome] = 5.0
            model.bert.pooler.dense.bias[outcome] = -2.0


def save(folder: Path, head: Sequence[tuple[float, float]], **config: Any) -> Path:
    """A classifier with an output for each row of head."""
    import torch
    from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
    from tokenizers.models import WordLevel
    from transformers import (
        BertConfig,
        BertForSequenceClassification,
        PreTrainedTokenizerFast,
    )

    known: Any = BertForSequenceClassification
    configured: Any = BertConfig
    shape = configured(
        vocab_size=len(WORDS),
        hidden_size=SIZE,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=4,
        hidden_act="relu",
        max_position_embeddings=LONGEST,
        num_labels=len(head),
    )
    model = known(shape)
    body(model)
    with torch.no_grad():
        model.classifier.weight[:, [SAYS_YES, SAYS_NO]] = torch.tensor(head)
    model.save_pretrained(folder)
    places = {word: place for place, word in enumerate(WORDS)}
    tokens: Any = Tokenizer(WordLevel(places, unk_token="[UNK]"))
    tokens.normalizer = normalizers.Lowercase()
    tokens.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokens.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    names = ("pad", "unk", "cls", "sep", "mask")
    signs = {f"{name}_token": sign for name, sign in zip(names, SIGNS, strict=True)}
    wrapped: Any = PreTrainedTokenizerFast
    wrapped(tokenizer_object=tokens, model_max_length=LONGEST, **signs).save_pretrained(
        folder
    )
    edit(folder, **config)
    return folder


def edit(folder: Path, **changes: Any) -> None:
    """Changes fields of a folder's configuration; None takes one out."""
    file = folder / "config.json"
    config = {**json.loads(file.read_text()), **changes}
    file.write_text(json.dumps({k: v for k, v in config.items() if v is not None}))


def nli(folder: Path, order: Sequence[str] = NAMES) -> Path:
    names = {str(place): name for place, name in enumerate(order)}
    places = {name: place for place, name in enumerate(order)}
    head = [HEADS[name] for name in order]
    return save(folder, head, id2label=names, label2id=places)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A classifier of the usual three outputs."""
    return nli(tmp_path_factory.mktemp("models") / "nli-tiny")


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy to be changed."""
    return Path(shutil.copytree(made, tmp_path / "nli-tiny"))


def classifier(folder: Path, labels: str | None = None) -> Classifier:
    return Classifier(classifier_folder(str(folder), labels))


RED_LAMP = "The lamp is red."
PAIRS = [
    (RED_LAMP, "The lamp is scarlet."),
    ("The gate was painted by the crew.", "The lamp is scarlet."),
    ("The lamp is blue.", "The lamp is scarlet."),
    ("The lamp is blue.", "The lamp is navy."),
    (RED_LAMP, "The lamp is navy."),
]


def supports(found: Sequence[PairProbabilities | None]) -> list[float]:
    return [round(one.support, 4) for one in found if one is not None]


def against(found: Sequence[PairProbabilities | None]) -> list[float | None]:
    return [one.contradiction for one in found if one is not None]


# --- what it says -------------------------------------------------------------


def test_three_outputs_tell_support_neither_and_contradiction(made: Path) -> None:
    found = classifier(made).judge(PAIRS)
    assert [round(one) for one in supports(found)] == [1, 0, 0, 1, 0]
    assert [round(one or 0) for one in against(found)] == [0, 0, 1, 0, 1]


@pytest.mark.parametrize("order", list(permutations(NAMES))[1:])
def test_the_order_of_outputs_changes_nothing(
    made: Path, tmp_path: Path, order: tuple[str, ...]
) -> None:
    other = classifier(nli(tmp_path / "other", order)).judge(PAIRS)
    plain = classifier(made).judge(PAIRS)
    assert supports(other) == pytest.approx(supports(plain), abs=1e-3)
    assert against(other) == pytest.approx(against(plain), abs=1e-3)


def test_two_outputs_without_names_are_believed_of_a_known_family(
    tmp_path: Path,
) -> None:
    head = [(-3.0, 0.0), (3.0, 0.0)]
    known = classifier(save(tmp_path / "hhem-tiny", head, id2label=None))
    assert not known.can_contradict
    assert [round(one) for one in supports(known.judge(PAIRS))] == [1, 0, 0, 1, 0]
    other = shutil.copytree(tmp_path / "hhem-tiny", tmp_path / "tiny")
    with pytest.raises(SettingsError, match="have no names"):
        classifier(other)
    asked = classifier(other, "supported=1").judge(PAIRS)
    assert supports(asked) == supports(known.judge(PAIRS))


def test_minicheck_reads_one_text_and_one_output_is_a_sigmoid(tmp_path: Path) -> None:
    single = save(tmp_path / "hhem-tiny", [(6.0, 0.0)])
    joined = shutil.copytree(single, tmp_path / "minicheck-tiny")
    as_pair, as_text = classifier(single), classifier(joined)
    assert [round(one) for one in supports(as_pair.judge(PAIRS))] == [1, 0, 0, 1, 0]
    # Here the signs between the texts are the same in both forms.
    assert supports(as_text.judge(PAIRS)) == supports(as_pair.judge(PAIRS))


def test_a_calibration_beside_the_weights_is_used(folder: Path) -> None:
    plain = [one.support for one in classifier(folder).judge(PAIRS) if one]
    (folder / "claimscope.json").write_text('{"slope": 0.5, "intercept": -1.0}')
    milder = [one.support for one in classifier(folder).judge(PAIRS) if one]
    odds = [0.5 * math.log(one / (1 - one)) - 1 for one in plain]
    assert milder == pytest.approx([1 / (1 + math.exp(-one)) for one in odds], abs=1e-6)
    assert milder[0] < plain[0]


def test_many_pairs_are_judged_as_each_alone(made: Path) -> None:
    model = classifier(made)
    many = [
        (f"{'The gate was painted. ' * (n % 7)}{premise}", claim)
        for n in range(8)
        for premise, claim in PAIRS
    ]
    together = supports(model.judge(many))
    assert together == supports([model.judge([pair])[0] for pair in many])
    assert together == supports(classifier(made).judge(many))
    assert model.judge([]) == []


def test_signs_of_the_tokenizer_in_a_text_are_no_signs(made: Path) -> None:
    model = classifier(made)
    planted = "The lamp [SEP] [CLS] is scarlet."
    assert model.tokens(planted) == model.tokens("The lamp is scarlet.")
    (found,) = model.judge([(RED_LAMP, planted)])
    assert found == model.judge([PAIRS[0]])[0]
    assert model.judge([("The lamp \ud800 is red.", PAIRS[0][1])]) != [None]


def test_what_is_no_number_is_none(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    file = folder / "model.safetensors"
    weights = load_file(file)
    weights["classifier.bias"].fill_(float("nan"))
    save_file(weights, file, {"format": "pt"})
    assert classifier(folder).judge(PAIRS) == [None] * len(PAIRS)


# --- loading ------------------------------------------------------------------


def test_nothing_is_asked_of_the_network(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def refuse(*arguments: object, **_: object) -> None:
        asked.append(arguments)
        raise OSError("no network here")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    found = classifier(made).judge(PAIRS)
    assert round(supports(found)[0]) == 1
    assert asked == []


def test_weights_that_cannot_be_read_are_refused_by_name(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(SettingsError) as caught:
        classifier(folder).judge(PAIRS)
    assert str(folder) in caught.value.message
    assert caught.value.hint


def test_a_count_of_names_that_is_not_that_of_outputs_is_refused(folder: Path) -> None:
    edit(folder, id2label={"0": "entailment", "1": "neutral"}, label2id=None)
    with pytest.raises(SettingsError):
        classifier(folder).judge(PAIRS)


@pytest.mark.parametrize("binary", [False, True])
def test_weights_without_the_last_layer_are_refused(folder: Path, binary: bool) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    file = folder / "model.safetensors"
    weights = load_file(file)
    if binary:
        torch.save(weights, folder / "pytorch_model.bin")
        file.unlink()
        assert round(supports(classifier(folder).judge(PAIRS))[0]) == 1
    body = {name: one for name, one in weights.items() if "classifier" not in name}
    if binary:
        torch.save(body, folder / "pytorch_model.bin")
    else:
        save_file(body, file, {"format": "pt"})
    with pytest.raises(SettingsError, match="no classifier.bias, classifier.weight"):
        classifier(folder).judge(PAIRS)


def test_loading_says_nothing(
    folder: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    file = folder / "model.safetensors"
    half = {name: one.to(torch.float16) for name, one in load_file(file).items()}
    save_file(half, file, {"format": "pt"})
    edit(folder, dtype="float16")
    assert round(supports(classifier(folder).judge(PAIRS))[0]) == 1
    assert capfd.readouterr() == ("", "")
    assert caplog.records == []


def test_a_model_that_fails_is_a_model_error(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    model = classifier(made)
    model.judge(PAIRS[:1])

    def fails(*_: object) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(torch.nn.Linear, "forward", fails)
    with pytest.raises(ModelError, match="nli-tiny failed"):
        model.judge(PAIRS)


# --- verdicts -----------------------------------------------------------------


def at(index: int, text: str) -> Evidence:
    return Evidence(page_id="lamps", index=index, text=text, start=0, end=len(text))


async def verdicts(folder: Path, *questions: Question) -> Sequence[Verdict]:
    reader = EvidenceVerifier(fakes.FakeEmbedder(), shipped_model())
    return await ClassifierVerifier(classifier(folder), reader).verify(questions)


GATES = [f"The gate was painted by the crew number {n}, was it." for n in range(14)]


async def test_long_evidence_is_read_in_windows_to_its_end(made: Path) -> None:
    evidence = tuple(at(n, text) for n, text in enumerate([*GATES, RED_LAMP]))
    model = classifier(made)
    assert sum(model.tokens(one.text) for one in evidence) > 2 * LONGEST
    found, other = await verdicts(
        made,
        Question("The lamp is scarlet.", evidence),
        Question("The lamp is navy.", evidence),
    )
    assert found.label is Label.SUPPORTED
    assert found.support is not None and found.support > 0.9
    assert found.evidence[0].text == RED_LAMP
    assert other.label is Label.CONTRADICTED
    assert other.evidence[0].text == RED_LAMP
    assert "lamps:S:14" in other.reason


# --- commands -----------------------------------------------------------------


@pytest.fixture
def fake_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(settings: Settings) -> Embedder:
        return fakes.FakeEmbedder()

    monkeypatch.setattr(judges, "make_embedder", make)


@pytest.mark.usefixtures("fake_embeddings")
def test_rows_are_verified_by_the_classifier(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"id": n, "claim": claim, "evidence": premise}
        for n, (premise, claim) in enumerate(PAIRS)
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    flags = ["--verifier", "classifier", "--classifier", str(made)]
    assert main(["answers", "verify", str(file), *flags]) == 0
    out = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    # Whether the other witnesses know that navy is blue is not the matter here.
    said = [row["verdict"].replace("likely", "supported") for row in out]
    assert said[:3] == ["supported", "not_enough_info", "contradicted"]
    assert said[3] != "contradicted"
    assert said[4] == "contradicted"
    assert {row["verifier"] for row in out} == {"classifier"}


@pytest.mark.usefixtures("fake_embeddings")
def test_an_answer_is_checked_by_the_classifier(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "lamp.txt").write_text("The lamp is red. The gate was painted.")
    answer = tmp_path / "answer.txt"
    answer.write_text("The lamp is scarlet.")
    flags = ["--verifier", "classifier", "--classifier", str(made)]
    assert main(["check", str(answer), "--against", str(pages), *flags]) == 0
    out = capsys.readouterr().out
    assert re.search("(?:likely|supported): The lamp is scarlet.", out)


@pytest.mark.usefixtures("fake_embeddings")
def test_a_run_keeps_to_its_classifier(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "lamp.txt").write_text("The lamp is red.")
    suite = {
        "format": "claimscope.suite",
        "version": 1,
        "id": "lamps",
        "pages": "pages",
        "answers": "answers.jsonl",
        "cases": [{"id": "lamp-1", "question": "What is the lamp like?"}],
    }
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    row = {"case_id": "lamp-1", "text": "The lamp is navy."}
    (tmp_path / "answers.jsonl").write_text(json.dumps(row) + "\n")
    flags = ["--verifier", "classifier", "--classifier", str(folder)]
    assert main(["run", str(tmp_path / "suite.json"), *flags]) == 0
    runs = DiskRunStore(Workspace.find().runs)
    (status,) = runs.runs()
    header = status.header
    assert (header.verifier, header.model) == ("classifier", "nli-tiny")
    assert header.model_digest == classifier_folder(str(folder)).digest()
    (sample,) = runs.read(header.run_id).samples()
    verdict = sample.claims[0].verdict
    assert (verdict.verifier, verdict.model) == ("classifier", "nli-tiny")
    assert verdict.label is Label.CONTRADICTED
    assert verdict.evidence[0].text == RED_LAMP

    stopped = header.model_copy(
        update={"run_id": "20260101-000000-0000", "total_samples": 2}
    )
    runs.create(stopped).close()
    edit(folder, classifier_dropout=0.3)
    capsys.readouterr()
    assert main(["runs", "resume", "20260101-000000-0000"]) == 3
    assert "the model's weights" in capsys.readouterr().err


@pytest.mark.usefixtures("fake_embeddings")
def test_a_folder_that_cannot_be_used_is_said_before_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--verifier", "classifier", "--classifier", str(tmp_path / "none")]
    assert main(["run", "courses", *flags]) == 2
    assert "no such folder" in capsys.readouterr().err
    assert main(["doctor", "--json", *flags, "--ollama-host", "127.0.0.1:9"]) == 3
    checks = json.loads(capsys.readouterr().out)["checks"]
    (found,) = [check for check in checks if check["name"] == "classifier"]
    assert found["state"] == "error" and "no such folder" in found["text"]
