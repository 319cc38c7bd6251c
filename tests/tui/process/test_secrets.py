"""No login and no token reaches a screen, a log, a report or a file of a run; nothing
of a workspace can be read by others; no text orders anything of the terminal."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimscope.core.backends import embedders
from claimscope.core.backends.ollama.address import server_url
from claimscope.core.errors import SettingsError
from claimscope.core.logins import HIDDEN, without_login, without_logins
from claimscope.stores.workspace.configuration import load
from claimscope.tui.cli import main
from claimscope.tui.gateway.settings_list import setting_infos
from tests.doubles.fake_ollama import FakeOllama, said
from tests.doubles.fakes import FakeEmbedder

SECRET = "hunter22,S3cret"
ADDRESSES = (
    f"http://user:{SECRET}@127.0.0.1:9",
    f"user:{SECRET}@127.0.0.1:9",
    f"http://127.0.0.1:9,http://user:{SECRET}@localhost:9",
    f"http://127.0.0.1:9/?key={SECRET}",
)
HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\x08\u202egnorw\x00"
SUITE = {
    "format": "claimscope.suite",
    "version": 1,
    "id": "small",
    "pages": "pages",
    "answers": "answers.jsonl",
    "cases": [
        {
            "id": f"c-1{HOSTILE}",
            "question": f"What is the fee?{HOSTILE}",
            "category": f"fees{HOSTILE}",
            "domain": f"fees.example{HOSTILE}",
            "claims": [{"text": f"The fee is 150 marks.{HOSTILE}"}],
        }
    ],
}
ANSWER = {
    "case_id": f"c-1{HOSTILE}",
    "provider": f"mine{HOSTILE}",
    "text": f"The fee is 180 marks {HOSTILE}. It is {HOSTILE} paid [x{HOSTILE}].",
}
FORBIDDEN = {chr(n) for n in (*range(32), *range(0x7F, 0xA0), 0x202E)} - {"\n", "\t"}


@pytest.fixture(autouse=True)
def fake_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedders, "embedder_for", lambda *a, **k: FakeEmbedder())


def hostile_suite(folder: Path) -> Path:
    """A suite whose every text is hostile."""
    (folder / "pages").mkdir(parents=True)
    # In JSON, where no byte is strange; a file full of control bytes is no page.
    text = f"The fee is 150 marks. {HOSTILE}It is paid in May."
    page = {"id": f"fees{HOSTILE}", "title": f"Fees{HOSTILE}", "text": text}
    (folder / "pages" / "fees.jsonl").write_text(json.dumps(page) + "\n", "utf-8")
    (folder / "fees.txt").write_text(text * 3 + " It is a fee." * 60, "utf-8")
    (folder / "suite.json").write_text(json.dumps(SUITE), "utf-8")
    (folder / "answers.jsonl").write_text(json.dumps(ANSWER) + "\n", "utf-8")
    return folder / "suite.json"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return hostile_suite(tmp_path / "small")


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    try:
        main(words)
    except SystemExit:
        pass
    out, err = capsys.readouterr()
    return out + err


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    "variable", ["OLLAMA_HOST", "CLAIMSCOPE_OLLAMA_HOST", "CLAIMSCOPE_CHROMA_URL"]
)
def test_a_login_in_an_address_is_never_shown(
    address: str,
    variable: str,
    tmp_path: Path,
    small: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(variable, address)
    monkeypatch.setenv("CLAIMSCOPE_CHROMA_TOKEN", SECRET)
    where = ("--workspace", str(tmp_path / "w"))
    for words in (
        ("doctor",),
        ("doctor", "--json"),
        ("models",),
        ("show", "settings"),
        ("run", str(small), "--verifier", "ollama", "--model", "m:1b"),
        ("pages", "index", str(small.parent / "pages")),
    ):
        text = told(capsys, *where, *words)
        assert SECRET not in text and "S3cret" not in text, words
    assert all("S3cret" not in str(info) for info in setting_infos(tmp_path / "w"))


def test_a_wrong_secret_is_not_repeated(tmp_path: Path) -> None:
    for flags in ({"chroma_token": [SECRET]}, {"ollama_host": [ADDRESSES[0]]}):
        with pytest.raises(SettingsError) as caught:
            load(tmp_path, flags, {})
        if "chroma_token" in flags:
            assert "S3cret" not in str(caught.value)
    with pytest.raises(SettingsError) as caught:
        server_url(ADDRESSES[0])
    assert "S3cret" not in str(caught.value) and "127.0.0.1:9" in str(caught.value)


def test_settings_messages_are_our_own_words(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, {"prices": "model"}, {})
    assert "Value error" not in str(caught.value)
    assert "MODEL=PROMPT/COMPLETION" in str(caught.value)


@given(st.text("abcS3:@/?&=,. ", min_size=1, max_size=30))
def test_nothing_in_front_of_the_last_at_is_shown(password: str) -> None:
    shown = without_login(f"http://u:{password}@host:80")
    assert shown.startswith((f"http://{HIDDEN}@host", "http://u")) or HIDDEN in shown
    if "?" not in password:
        assert shown == f"http://{HIDDEN}@host:80"


def test_texts_of_libraries_lose_their_logins() -> None:
    text = "cannot GET http://a:b@host:1/x?token=abc&n=1 (see ?)"
    assert without_logins(text) == (
        f"cannot GET http://{HIDDEN}@host:1/x?token={HIDDEN}&n={HIDDEN} (see ?)"
    )
    assert without_logins("claim [PMID:12, S:2] a@b") == "claim [PMID:12, S:2] a@b"


@dataclass(frozen=True)
class Judged:
    """What the double has judged, under a key."""

    root: Path
    suite: Path

    @property
    def where(self) -> tuple[str, ...]:
        return ("--workspace", str(self.root))


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judged]:
    """Made once: the hostile suite, judged where the umask lets everybody read."""
    folder = tmp_path_factory.mktemp("judged")
    made = Judged(folder / "w", hostile_suite(folder / "small"))
    reply = f"{HOSTILE}Yes {SECRET[:3]}"
    before = os.umask(0)
    with (
        pytest.MonkeyPatch.context() as patch,
        FakeOllama(answer=lambda body: said(reply)) as server,
    ):
        patch.setattr(embedders, "embedder_for", lambda *a, **k: FakeEmbedder())
        patch.setenv("OLLAMA_HOST", server.host)
        patch.setenv("OLLAMA_API_KEY", SECRET)
        patch.setenv("CLAIMSCOPE_CHROMA_TOKEN", SECRET)
        patch.setenv("CLAIMSCOPE_CACHE", str(folder / "cache"))
        words = ("--verifier", "ollama", "--model", "m:1b", "--judge")
        try:
            main([*made.where, "run", str(made.suite), *words])
            index = ("pages", "index", str(made.suite.parent / "pages"))
            assert main([*made.where, *index]) == 0
        finally:
            os.umask(before)
    assert len(list(made.root.glob("runs/*/run.journal"))) == 1
    yield made


def test_a_run_keeps_no_token_and_is_private(
    judged: Judged, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", SECRET)
    for kind in ("json", "jsonl", "csv", "md", "html", "junit"):
        text = told(capsys, *judged.where, "report", "last", "--format", kind)
        assert "S3cret" not in text and len(text) > 100
    out = ("-o", str(judged.root / "x.json"))
    told(capsys, *judged.where, "runs", "export", "last", *out)
    files = [path for path in judged.root.rglob("*") if path.is_file()]
    assert {"run.journal", "vectors.sqlite", "x.json"} <= {f.name for f in files}
    for path in files:
        assert b"S3cret" not in path.read_bytes(), path
        assert path.stat().st_mode & 0o077 == 0, path
    for path in [judged.root, *judged.root.rglob("*")]:
        if path.is_dir():
            assert path.stat().st_mode & 0o777 == 0o700, path


@pytest.mark.parametrize(
    "words",
    [
        ("runs",),
        ("runs", "show", "last"),
        ("show", "home"),
        ("show", "suite"),
        ("show", "results"),
        ("runs", "show", "last", f"c-1{HOSTILE}"),
        ("report", "last"),
        ("runs", "stats"),
        ("runs", "trends"),
        ("pages", "search", "fee", "--corpus", "pages"),
        ("pages", "--corpus", "pages"),
        ("labels", "last"),
        ("labels", "agreement", "last"),
        ("compare", "last", "last"),
        ("suite", "lint", "SUITE"),
        ("answers", "split", "PAGE"),
        ("check", "PAGE", "--against", "PAGES"),
        ("runs", "show", f"{HOSTILE}"),
        ("run", f"{HOSTILE}"),
    ],
)
def test_no_command_prints_what_a_terminal_obeys(
    words: tuple[str, ...],
    judged: Judged,
    capsys: pytest.CaptureFixture[str],
) -> None:
    places = {
        "SUITE": str(judged.suite),
        "PAGE": str(judged.suite.parent / "fees.txt"),
        "PAGES": str(judged.suite.parent / "pages"),
    }
    text = told(capsys, *judged.where, *(places.get(word, word) for word in words))
    assert text.strip()
    assert not FORBIDDEN & set(text), sorted(FORBIDDEN & set(text))


@pytest.mark.parametrize(
    "words",
    [
        ("runs", "--json"),
        ("runs", "show", "last", "--json"),
        ("runs", "show", "last", f"c-1{HOSTILE}", "--json"),
        ("report", "last", "--json"),
        ("report", "last", "--format", "json"),
        ("report", "last", "--format", "jsonl"),
        ("runs", "stats", "--json"),
        ("runs", "trends", "--json"),
        ("pages", "search", "fee", "--corpus", "pages", "--json"),
        ("pages", "--corpus", "pages", "--json"),
        ("labels", "agreement", "last", "--json"),
        ("compare", "last", "last", "--json"),
        ("suite", "lint", "SUITE", "--json"),
        ("suite", "export", "SUITE"),
        ("answers", "split", "PAGE"),
        ("check", "PAGE", "--against", "PAGES", "--json"),
        ("doctor", "--json"),
    ],
)
def test_json_says_all_and_orders_nothing(
    words: tuple[str, ...],
    judged: Judged,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    places = {
        "SUITE": str(judged.suite),
        "PAGE": str(tmp_path / "fees.txt"),
        "PAGES": str(judged.suite.parent / "pages"),
    }
    # Without the bytes that make a file binary; those further up are text in UTF-8.
    hostile = "".join(char for char in HOSTILE if char >= " ")
    (tmp_path / "fees.txt").write_text(f"The fee is 15{hostile}0 marks.\n", "utf-8")
    capsys.readouterr()
    main([*judged.where, *(places.get(word, word) for word in words)])
    text = capsys.readouterr().out
    assert text.strip()
    assert not FORBIDDEN & set(text), sorted(FORBIDDEN & set(text))
    lines = text.splitlines() if text.count("\n{") else [text]
    assert all(json.loads(line) is not None for line in lines)


def test_files_of_json_order_nothing(
    judged: Judged, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for words in (
        ("report", "last", "-o", str(tmp_path / "report.json")),
        ("report", "last", "-o", str(tmp_path / "report.jsonl")),
        ("report", "last", "--to", str(tmp_path / "files")),
        ("suite", "export", str(judged.suite), "-o", str(tmp_path / "rows.jsonl")),
    ):
        assert main([*judged.where, *words]) in (0, 1), words
    files = [path for path in tmp_path.rglob("*.json*") if path.is_file()]
    assert len(files) > 3
    for path in files:
        text = path.read_text("utf-8")
        assert not FORBIDDEN & set(text), (path, sorted(FORBIDDEN & set(text)))
