"""The network: the layers of MiniLM over premise and claim, and a comparison on top.

Two additions make it learn from few pairs. Each token knows whether it stands on the
other side too (four token types in place of two). And on top each token of the claim is
laid beside what it attends to in the premise, as in decomposable attention (Parikh et
al. 2016) and ESIM (Chen et al. 2017), instead of one vector for all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

WIDTH = 256
_LAYER = re.compile(r"encoder\.encoder\.layer\.(\d+)\.")
PREMISE, CLAIM, PREMISE_SHARED, CLAIM_SHARED = range(4)
"""Token types."""


class EntailmentNetwork(nn.Module):
    """Logits (batch, 3) of token ids, mask and token types, each (batch, tokens)."""

    def __init__(
        self, folder: Path, dropout: float = 0.0, layers: int | None = None
    ) -> None:
        """`folder`: of an encoder, whose weights are taken; with `layers` only its
        configuration is, for that many layers: weights are to be loaded."""
        from transformers import AutoConfig, AutoModel

        super().__init__()
        # Twice as fast as fused attention on a processor in bf16.
        asked: dict[str, Any] = {
            "attn_implementation": "eager",
            "hidden_dropout_prob": dropout,
            "attention_probs_dropout_prob": 0.0,
        }
        self.encoder: Any
        if layers is None:
            self.encoder = AutoModel.from_pretrained(
                str(folder), **asked, add_pooling_layer=False
            )
        else:
            config = AutoConfig.from_pretrained(
                str(folder), **asked, num_hidden_layers=layers
            )
            made: Any = AutoModel
            self.encoder = made.from_config(config, add_pooling_layer=False)
        known = self.encoder.embeddings.token_type_embeddings
        types = nn.Embedding(4, known.embedding_dim)
        with torch.no_grad():
            types.weight.copy_(known.weight[[0, 1, 0, 1]])
            types.weight[2:] += 0.02 * torch.randn_like(types.weight[2:])
        self.encoder.embeddings.token_type_embeddings = types
        size = known.embedding_dim
        self.asks = nn.Linear(size, size, bias=False)
        nn.init.eye_(self.asks.weight)
        self.compare = nn.Sequential(
            nn.Linear(4 * size, WIDTH),
            nn.GELU(),
            nn.Linear(WIDTH, WIDTH),
            nn.GELU(),
        )
        self.dropout = nn.Dropout(dropout)
        self.decide = nn.Sequential(
            nn.Linear(2 * WIDTH + size, WIDTH), nn.GELU(), nn.Linear(WIDTH, 3)
        )

    def forward(self, ids: Any, mask: Any, types: Any) -> Any:
        states = self.encoder(
            input_ids=ids, attention_mask=mask, token_type_ids=types
        ).last_hidden_state
        of_claim = ((types == CLAIM) | (types == CLAIM_SHARED)) & (mask == 1)
        of_premise = (mask == 1) & ~of_claim
        size = states.shape[-1]
        scores = self.asks(states) @ states.transpose(1, 2) / size**0.5
        scores = scores.float().masked_fill(~of_premise[:, None, :], -1e4)
        beside = scores.softmax(-1).to(states.dtype) @ states
        pairs = torch.cat([states, beside, states - beside, states * beside], dim=-1)
        found = self.compare(pairs)
        weight = of_claim[:, :, None].to(found.dtype)
        mean = (found * weight).sum(1) / weight.sum(1).clamp(min=1)
        most = found.masked_fill(~of_claim[:, :, None], -1e4).amax(1)
        return self.decide(self.dropout(torch.cat([mean, most, states[:, 0]], dim=-1)))


def layers_of(state: Mapping[str, Any]) -> int:
    """How many layers the encoder of these weights has."""
    return 1 + max(int(one[1]) for one in map(_LAYER.match, state) if one)


def restored(
    state: Mapping[str, Any], folder: Path, dropout: float = 0.0
) -> EntailmentNetwork:
    """The network with these weights, of as many layers as they are. `folder`: of an
    encoder of the same vocabulary and width."""
    network = EntailmentNetwork(folder, dropout, layers_of(state))
    network.load_state_dict(state)
    return network
