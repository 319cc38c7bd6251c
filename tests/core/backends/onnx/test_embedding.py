"""The default embedder against the original model, windows, and bad files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.backends.embedders import default_embedder, embedder_for
from claimscope.core.backends.onnx import embedding, export, weights
from claimscope.core.backends.onnx.embedding import OnnxEmbedder
from claimscope.core.backends.text_windows import (
    mean_vectors,
    window_spans,
    word_starts,
)
from claimscope.core.backends.transformers.embedding import SentenceTransformerEmbedder
from claimscope.core.errors import EmbeddingError
from claimscope.core.ports import Embedder

pytestmark = pytest.mark.slow

LONG = " ".join(f"Stage {n} of the walk passes mill number {n}." for n in range(90))


@pytest.fixture(scope="session")
def embedder(exported_models: Path) -> Embedder:
    return default_embedder(exported_models)


@pytest.fixture(scope="session")
def original() -> SentenceTransformerEmbedder:
    return SentenceTransformerEmbedder(weights.model_folder(), "cpu", weights.NAME)


def test_vectors_equal_the_original_model(
    embedder: Embedder, original: SentenceTransformerEmbedder
) -> None:
    texts = ["Low tide is at 6.40 a.m.", "", "東京", LONG, "The fee is $29.00."]
    cosines = (embedder.embed(texts) * original.embed(texts)).sum(axis=1)
    assert cosines.min() >= 0.9999
    assert embedder.model_id == original.model_id == "all-MiniLM-L6-v2@53aa5117/fp32"
    assert embedder.dimensions == original.dimensions == 384


def test_rows_keep_order_and_do_not_depend_on_their_batch(embedder: Embedder) -> None:
    texts = [f"Room {n} holds {'many ' * (n % 7)}boxes." for n in range(70)]
    together = embedder.embed([*texts, texts[3]])
    assert together.shape == (71, 384)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    assert np.array_equal(together[3], together[70])
    assert np.allclose(together[41], embedder.embed([texts[41]])[0], atol=1e-5)
    assert embedder.embed([]).shape == (0, 384)


def test_the_end_of_a_long_text_counts(embedder: Embedder) -> None:
    ends = ["It ends in a vineyard.", "It ends at a nuclear power station."]
    vectors = embedder.embed([f"{LONG} {end}" for end in ends] + ends)
    assert not np.allclose(vectors[0], vectors[1], atol=1e-4)
    assert vectors[0] @ vectors[2] > vectors[1] @ vectors[2]


def test_texts_that_are_no_text_are_embedded(embedder: Embedder) -> None:
    vectors = embedder.embed(["\ud800 lone", "\x00\x1b[2J", "🙂" * 600, "x" * 5000])
    assert np.isfinite(vectors).all()


def test_later_use_needs_no_torch(exported_models: Path) -> None:
    code = (
        "import sys; from claimscope.core.backends.embedders import embedder_for; "
        "assert embedder_for(None).embed(['a b', 'c']).shape == (2, 384); "
        "print([m for m in ('torch', 'transformers') if m in sys.modules])"
    )
    environment = {
        **os.environ,
        "CLAIMSCOPE_CACHE": str(exported_models),
        "PYTHONPATH": ".src",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=Path(__file__).parents[4],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_a_check_after_the_first_needs_no_torch(
    exported_models: Path, tmp_path: Path
) -> None:
    cache = shutil.copytree(exported_models, tmp_path / "cache")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "mill.md").write_text("The mill is 40 m high.", "utf-8")
    (tmp_path / "answer.md").write_text("The mill is 40 m high.", "utf-8")
    code = (
        "import sys; from claimscope.tui.cli import main; "
        "code = main(['check', 'answer.md', '--against', 'pages']); "
        "heavy = ('torch', 'transformers', 'sentence_transformers'); "
        "print(code, 'onnxruntime' in sys.modules, *(set(heavy) & set(sys.modules)))"
    )
    source = Path(__file__).parents[4] / ".src"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "CLAIMSCOPE_CACHE": str(cache), "PYTHONPATH": str(source)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout.splitlines()[-1:] == ["0 True"], done.stdout + done.stderr


def test_export_leaves_a_whole_model_and_is_not_repeated(exported_models: Path) -> None:
    file, beside = sorted(
        exported_models.iterdir(), key=lambda path: path.stat().st_size
    )
    assert (file.suffix, beside.suffix) == (".onnx", ".weights")
    assert weights.WEIGHTS_SHA256[:16] in file.name
    notes: list[str] = []
    assert export.exported_model(exported_models, notes.append) == file
    assert notes == []


def test_a_model_in_one_file_is_parted_without_an_export(
    exported_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import onnx

    (file,) = exported_models.glob("*.onnx")
    (beside,) = exported_models.glob("*.weights")
    assert file.stat().st_size < 1e6 < 8e7 < beside.stat().st_size
    whole = export.place_of(tmp_path, export.WHOLE)
    onnx.save_model(onnx.load(str(file)), str(whole))

    def exports(*_: object) -> None:
        raise AssertionError("exported again")

    monkeypatch.setattr(export, "export_into", exports)
    target = export.exported_model(tmp_path, None)
    names = sorted(path.suffix for path in tmp_path.iterdir())
    assert (target, names) == (export.place_of(tmp_path, 2), [".onnx", ".weights"])
    texts = ["Low tide is at 6.40 a.m.", "The fee is $29.00."]
    vectors = default_embedder(tmp_path).embed(texts)
    assert (vectors == default_embedder(exported_models).embed(texts)).all()


def test_vectors_do_not_depend_on_the_number_of_threads(
    exported_models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"The ferry leaves at {n}:15 {'every morning ' * n}." for n in range(40)]
    found = []
    for threads in (1, 2, 3):
        monkeypatch.setattr(embedding, "held_sessions", {})
        monkeypatch.setattr(embedding, "physical_cores", lambda n=threads: n)
        found.append(default_embedder(exported_models).embed(texts))
    assert (found[0] == found[1]).all() and (found[0] == found[2]).all()


def test_an_export_elsewhere_is_needed_once_and_says_what_is_wrong(
    exported_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbeddingError, match="file: the embedding model could not be"):
        export.export_in_own_process(tmp_path / "file")

    def runs(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "run", runs)
    export.export_in_own_process(exported_models)


def test_a_damaged_exported_model_names_the_file(tmp_path: Path) -> None:
    graph = tmp_path / "model.onnx"
    graph.write_bytes(b"not a model")
    with pytest.raises(EmbeddingError, match=r"model\.onnx.*\n.*Delete this file"):
        OnnxEmbedder(lambda: graph).embed(["a"])


def test_wrong_weights_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    monkeypatch.setattr(weights, "model_folder", lambda: tmp_path)
    with pytest.raises(EmbeddingError, match=r"model\.safetensors: not the expected"):
        default_embedder(tmp_path / "cache").embed(["a"])


def test_a_cache_that_cannot_be_written_names_the_remedy(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(EmbeddingError, match="CLAIMSCOPE_CACHE"):
        default_embedder(blocked).embed(["a"])


def test_parity_is_enforced() -> None:
    same = np.eye(2, 3, dtype=np.float32)
    export.check_parity(same, same * 4)
    with pytest.raises(EmbeddingError, match="cosine 0"):
        export.check_parity(same, same[::-1])


def test_an_unknown_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="no embedding model 'nowhere/at-all'"):
        embedder_for("nowhere/at-all").embed(["a"])
    with pytest.raises(EmbeddingError, match="cannot be loaded"):
        embedder_for(str(tmp_path)).embed(["a"])


def test_a_model_folder_is_known_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"one")
    first = weights.folder_sha256(tmp_path)
    (tmp_path / "README.md").write_text("notes do not count")
    assert weights.folder_sha256(tmp_path) == first
    (tmp_path / "model.safetensors").write_bytes(b"two")
    assert weights.folder_sha256(tmp_path) != first


@given(st.lists(st.booleans(), max_size=300), st.integers(1, 40))
def test_pieces_cover_all_tokens_in_order(starts: list[bool], window: int) -> None:
    spans = window_spans(starts, window)
    assert spans[0][0] == 0 and spans[-1][1] == len(starts)
    assert all(a[1] == b[0] for a, b in zip(spans, spans[1:], strict=False))
    assert all(0 < end - begin <= window for begin, end in spans if starts)


def test_pieces_of_one_token_come_to_an_end() -> None:
    assert window_spans([True, False, False], 1) == [(0, 1), (1, 2), (2, 3)]


def test_pieces_are_cut_between_words() -> None:
    words: list[Any] = [0, 1, 1, 1, 2, 3, 3, 4]
    spans = window_spans(word_starts(words), 4)
    assert spans == [(0, 4), (4, 8)]
    assert all(begin == 0 or word_starts(words)[begin] for begin, _ in spans)


def test_a_vector_of_nan_is_an_error_that_says_which() -> None:
    vectors = np.ones((3, 4), dtype=np.float32)
    vectors[2, 1] = np.nan
    with pytest.raises(EmbeddingError, match="text 2 of 2"):
        mean_vectors(vectors, [0, 0, 1], 2)
