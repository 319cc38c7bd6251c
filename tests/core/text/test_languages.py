"""The model of languages says the same, unpacked or not, whatever the cache does."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from claimscope.core.caches import cache_folder
from claimscope.core.models import Evidence
from claimscope.core.ports import Question
from claimscope.core.text import languages
from claimscope.core.text.languages import identifier, language, language_of, spoken
from claimscope.core.verify.other_languages import language_of_question

TEXTS = (
    "Die Mühle wurde im Jahre 1503 von der Zunft der Weber gebaut.",
    "The mill was built in 1503.",
    "Мельница была построена в 1503 году.",
    "水库容量为４万立方米。",
    "Ærø, Łódź",
    "1503",
    "",
)
HASH = "sha512:" + "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
TOKEN = "eyJ0eXAiOiJKV1QiLCJhbGciOiJub25lIn0.eyJpc3MiOiJsYW1wIiwiZXhwIjoxMzAwODE5MzgwfQ"
CODE = (
    HASH,
    TOKEN,
    "0x1f8b0808 0xcafebabe 0x00000000",
    "lamp.configure(LampMode.NIGHT, min_level=3, retry=False)",
    "{k: v for k, v in lamps.items() if v is not None and k in known}",
    "SELECT id FROM lamps WHERE level > 3 AND is_lit ORDER BY id",
    "curl -sS -X PUT -H 'Accept: text/plain' https://lamp.example/v1/level?to=3",
    "^[A-Z]{2}-\\d{4}(?:/[a-z]+)*$",
)
ENGLISH = ("Pin it with {}.", "{} dims the lamp.", "The value is {}.", "Use {} once.")
GERMAN = (
    "Mit {} wird die Lampe nachts gedimmt und morgens wieder heller.",
    "Der Befehl {} stellt ein, wie hell die Lampe in der Nacht leuchtet.",
    "Setzen Sie zuerst {}, bevor die neue Lampe zum ersten Mal leuchtet.",
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
    monkeypatch.setattr(languages, "cache_folder", lambda: tmp_path / "file")
    assert identifier().rank(TEXTS[0])[0][0] == "de"


@pytest.mark.parametrize("frame", ["`{}`", "{}", "```\n{}\n```"])
@pytest.mark.parametrize("code", CODE)
def test_code_in_an_english_sentence_leaves_it_english(code: str, frame: str) -> None:
    held = frame.format(code)
    held = f"\n{held}\n" if "```" in frame else held
    for sentence in ENGLISH:
        assert language_of(sentence.format(held)) == "en"
        assert language(sentence.format(held)) == "en"


@pytest.mark.parametrize("code", CODE)
def test_english_words_of_code_make_no_german_sentence_english(code: str) -> None:
    for sentence in GERMAN:
        assert language_of(sentence.format(f"`{code}`")) == "de"
    listing = "```python\n" + "for x in y:\n    if x is not None and x in z: pass\n" * 9
    text = f"Die Lampe leuchtet nur nachts, wenn niemand da ist.\n\n{listing}```\n"
    assert language_of(text) == language(text) == "de"


def test_a_sentence_in_a_script_without_spaces_is_told_beside_its_code() -> None:
    assert (
        language_of(f"夜になるとランプの明るさは{HASH}で自動的に決まります。") == "ja"
    )
    assert (
        language_of("誰もいない部屋のランプは`lamp.on()`で点灯することができます。")
        == "ja"
    )


def test_an_answer_that_is_set_as_code_is_told_by_its_words() -> None:
    german = "Die Lampe leuchtet nur nachts, wenn niemand mehr im Haus ist."
    assert language_of(f"```\n{german}\n```") == "de"
    assert language_of(f"`{german}`") == "de"


@pytest.mark.parametrize("code", CODE)
def test_code_alone_is_in_no_other_language(code: str) -> None:
    assert language_of(code) == language(code) == "en"


def test_a_claim_with_a_key_is_held_against_its_page_as_english() -> None:
    text = f"The image is pinned by `{HASH}`."
    said = Evidence(
        page_id="lamps.md", index=0, text=text, start=0, end=len(text), score=0.9
    )
    claim = f"Pinning the image takes {HASH}."
    assert language_of_question(Question(claim, (said,))) == "en"


def test_prose_keeps_words_names_and_accents() -> None:
    text = "Café ArcelorMittal pays l’été, see `x` & lamp_on <b>now</b>; not 3/4 aBc."
    assert spoken(text) == "Café ArcelorMittal pays l’été, see now not"


@given(st.text())
def test_no_text_is_in_the_language_of_no_language(text: str) -> None:
    assert language_of(text) != "zxx"
    assert len(spoken(text)) <= 2 * len(text)


@pytest.mark.parametrize(
    "text",
    [
        "Berth Fee Boats Inner 14 euros per boat",
        "| berth | fee | boats |\n|---|---|---|\n| inner | 14 euros | 6 |",
        "salsa beta ratio media mini audio pasta",
        "era porta premium zone area ala ratio kiwi carte",
    ],
)
def test_the_words_of_a_table_tell_no_language(text: str) -> None:
    assert language_of(text) == "en"


def test_a_short_sentence_tells_its_language() -> None:
    assert language_of("Der Turm steht seit vielen Jahren am alten Hafen.") == "de"
    assert language_of("El tranvía llega a la plaza cada media hora.") == "es"
