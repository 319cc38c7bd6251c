"""Flags that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_selection_flags(parser: argparse.ArgumentParser) -> None:
    """Which files of a folder of pages are read."""
    add = parser.add_argument
    add(
        "--include",
        action="append",
        default=[],
        metavar="PATTERN",
        help="read only files that match",
    )
    add(
        "--exclude",
        action="append",
        default=[],
        metavar="PATTERN",
        help="leave files that match aside",
    )
    add(
        "--text-field",
        metavar="NAME",
        help="of records (JSON, JSON lines, CSV, Excel) the field of the text, e.g. "
        "body.plain (default: text, abstract, content or body)",
    )


def add_model_flags(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("models")
    add = group.add_argument
    add(
        "--verifier",
        choices=("none", "model", "ollama", "classifier"),
        help="none: embeddings, lexical evidence and rules (default); model: with a "
        "language model of --server as well (ollama: its older name); classifier: "
        "with a local NLI or groundedness classifier",
    )
    add(
        "--classifier",
        type=absolute,
        metavar="FOLDER",
        help="that classifier: config.json, weights, tokenizer; nothing is downloaded",
    )
    add(
        "--classifier-labels",
        metavar="ROLE=N,…",
        help="which of its outputs is which, when their names do not say: "
        "supported=1, or supported=0,contradicted=2",
    )
    add("--model", metavar="NAME", help="the language model")
    add(
        "--judges",
        metavar="A,B",
        help="further models that judge beside --model; each word is kept",
    )
    add(
        "--panel",
        choices=("majority", "mean"),
        help="how several judges make one verdict and grade (default: majority)",
    )
    add_server_flags(group)
    add(
        "--context-tokens",
        type=int,
        metavar="N",
        help="context length of every call (4096)",
    )
    add(
        "--embedding-model",
        metavar="FOLDER",
        help="a local sentence-transformers model (default: all-MiniLM-L6-v2)",
    )


def add_server_flags(parser: argparse._ActionsContainer) -> None:
    add = parser.add_argument
    add(
        "--server",
        choices=("ollama", "openai"),
        help="ollama (default), or openai: a server with the OpenAI API (llama.cpp, "
        "vLLM, LM Studio) at --base-url; a key is read from CLAIMSCOPE_API_KEY",
    )
    add(
        "--base-url",
        metavar="URL",
        help="of that server, e.g. http://127.0.0.1:8080/v1 (several with commas)",
    )
    add(
        "--ollama-host",
        metavar="URL",
        help="default: OLLAMA_HOST, else port 11434 (several with commas)",
    )


def add_cluster_flag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="judge on the workers of this Dask scheduler, e.g. tcp://box:8786",
    )


def add_row_flags(parser: argparse.ArgumentParser) -> None:
    """A file of rows, ground truth for all of them, and the models."""
    add = parser.add_argument
    add("file", metavar="FILE", help="a JSON lines file, or - for stdin")
    add(
        "--against",
        type=Path,
        metavar="FOLDER",
        help="pages that are true, for rows without ground truth of their own",
    )
    add(
        "--details",
        action="store_true",
        help="each score with its counts and the places it rests on",
    )
    add_model_flags(parser)
    add_custom_flags(parser)


def add_custom_flags(parser: argparse.ArgumentParser) -> None:
    """Weights of the metric `overall`, and any setting by its name."""
    group = parser.add_argument_group("settings")
    group.add_argument(
        "--weights",
        dest="metric_weights",
        metavar="A=1,B=0.5",
        help="weights of the metric overall",
    )
    add_setting_flag(group)


def add_setting_flag(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--set",
        action="append",
        type=setting,
        metavar="NAME=VALUE",
        help="any setting, e.g. --set tier_excellent=90 (repeatable)",
    )


def setting(text: str) -> tuple[str, str]:
    """A setting's name and value. Raises ArgumentTypeError."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name.strip(), value.strip()


def absolute(folder: str) -> str:
    """The folder wherever a run goes on."""
    return str(Path(folder).expanduser().absolute())


def words_of(
    parser: argparse.ArgumentParser, arguments: argparse.Namespace
) -> list[str]:
    """The words by which a parser, which has options only, comes to these arguments."""
    words = []
    for action in parser._actions:
        value = getattr(arguments, action.dest, action.default)
        if value == action.default:
            continue
        option = action.option_strings[-1]
        if action.nargs == 0:
            words.append(option)
        else:
            each = value if isinstance(value, list) else [value]
            words += [f"{option}={one}" for one in each]
    return words
