"""The model of languages says the same, unpacked or not, whatever the cache does."""

from __future__ import annotations

from pathlib import Path

import pytest
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from claimscope.core.caches import cache_folder
from claimscope.core.text.languages import model
from claimscope.core.text.languages.model import identifier

TEXTS = (
    "Die Mühle wurde im Jahre 1503 von der Zunft der Weber gebaut.",
    "The mill was built in 1503.",
    "Мельница была построена в 1503 году.",
    "水库容量为４万立方米。",
    "Ærø, Łódź",
    "1503",
    "",
)


def unpacked() -> Path:
    (folder,) = cache_folder().glob("languages-*")
    return folder


def test_unpacked_it_says_what_the_library_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    wanted = [library.rank(text) for text in TEXTS]
    assert [identifier().rank(text) for text in TEXTS] == wanted
    assert unpacked().is_dir()

    def opens(*_: object, **__: object) -> None:
        raise AssertionError("unpacked a second time")

    monkeypatch.setattr(LanguageIdentifier, "from_model_file", opens)
    assert [identifier().rank(text) for text in TEXTS] == wanted


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ptc", "classes", "output"])
def test_a_damaged_copy_is_made_anew(name: str) -> None:
    wanted = identifier().rank(TEXTS[0])
    path = unpacked() / f"{name}.npy"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert identifier().rank(TEXTS[0]) == wanted
    assert path.read_bytes() == whole
    assert [p.name for p in cache_folder().iterdir()] == [unpacked().name]


def test_a_cache_that_cannot_be_written_is_done_without(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(model, "cache_folder", lambda: tmp_path / "file")
    assert identifier().rank(TEXTS[0])[0][0] == "de"
