"""Arguments of SGLang about prefill graphs."""

from __future__ import annotations

import pytest

from profiles.synthesis.engines.sglang_kernels import wants_prefill_graphs


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ({}, None),
        ({"chunked_prefill_size": 2048}, None),
        ({"disable_cuda_graph": False}, None),
        ({"cuda_graph_config": {"decode": {"max_bs": 64}}}, None),
        ({"disable_prefill_cuda_graph": False}, True),
        ({"cuda_graph_max_bs_prefill": 512}, True),
        ({"cuda_graph_bs_prefill": [64, 128]}, True),
        ({"cuda_graph_backend_prefill": "breakable"}, True),
        ({"cuda_graph_config": {"prefill": {"max_bs": 512}}}, True),
        ({"cuda_graph_config": '{"prefill": {"backend": "full"}}'}, True),
        ({"disable_prefill_cuda_graph": True}, False),
        ({"disable_cuda_graph": True}, False),
        ({"cuda_graph_backend_prefill": "disabled"}, False),
        ({"cuda_graph_config": {"prefill": {"backend": "disabled"}}}, False),
        ({"disable_cuda_graph": True, "disable_prefill_cuda_graph": False}, False),
        ({"disable_cuda_graph": True, "cuda_graph_backend_prefill": "breakable"}, True),
        (
            {
                "cuda_graph_config": {"prefill": {"backend": "disabled"}},
                "cuda_graph_backend_prefill": "full",
            },
            False,
        ),
        ({"disable_prefill_cuda_graph": False, "chunked_prefill_size": -1}, False),
        ({"chunked_prefill_size": 0}, False),
        ({"chunked_prefill_size": None}, None),
        ({"cuda_graph_config": "no JSON"}, None),
    ],
)
def test_the_first_that_says_anything_counts(arguments, wanted):
    assert wants_prefill_graphs(arguments) is wanted
