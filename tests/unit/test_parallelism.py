"""Sizes and kernels of a model by card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from profiles.errors import EngineJobError
from profiles.synthesis.engines.engine_terms import VLLM
from profiles.synthesis.engines.vllm_engine import VllmEngine
from profiles.synthesis.gpu.model_shape import Card, ModelShape
from profiles.synthesis.gpu.parallelism import plan_engine

GPT_OSS = {
    "num_hidden_layers": 24,
    "layer_types": ["sliding_attention", "full_attention"] * 12,
    "sliding_window": 128,
    "num_attention_heads": 64,
    "num_key_value_heads": 8,
    "head_dim": 64,
    "hidden_size": 2880,
    "vocab_size": 201088,
    "quantization_config": {"quant_method": "mxfp4"},
}
MXFP4 = ModelShape.from_config(GPT_OSS, 13_761_264_768)
BF16 = ModelShape.from_config({**GPT_OSS, "quantization_config": None}, 41_900_000_000)
SMALL = ModelShape.from_config(
    {"num_hidden_layers": 30, "num_attention_heads": 9, "hidden_size": 576, "vocab_size": 49152},
    270_000_000,
)
RTX_4090 = Card("RTX 4090", 24564 << 20, (8, 9))
A10 = Card("A10", 23028 << 20, (8, 6))
L40S = Card("L40S", 46068 << 20, (8, 9))
H100 = Card("H100", 81559 << 20, (9, 0))


def test_a_model_that_fits_one_card_gets_an_engine_on_each():
    plan = plan_engine(MXFP4, [RTX_4090, RTX_4090])
    assert "tp_size" not in plan.arguments
    assert "tp_size" not in plan.arguments


def test_a_model_too_large_for_one_card_is_split_over_as_few_as_hold_it():
    plan = plan_engine(BF16, [RTX_4090, RTX_4090])
    assert plan.arguments["tp_size"] == 2
    assert plan.concurrency < plan_engine(MXFP4, [RTX_4090]).concurrency


def test_a_model_that_fits_nowhere_says_how_many_cards_it_needs():
    with pytest.raises(EngineJobError, match=r'need 2 such cards and \{"tp_size": 2\}'):
        plan_engine(BF16, [RTX_4090])


def test_a_split_that_was_asked_for_needs_the_cards():
    with pytest.raises(EngineJobError, match="tp_size 4 needs more than the 2"):
        plan_engine(BF16, [RTX_4090] * 2, options={"tp_size": 4})


def test_on_ada_the_experts_stay_mxfp4():
    arguments = plan_engine(MXFP4, [RTX_4090]).arguments
    assert arguments["moe_runner_backend"] == "triton_kernel"
    assert arguments["attention_backend"] == "triton"


UPCASTS = [
    {"moe_runner_backend": name}
    for name in ("auto", "triton", "marlin", "flashinfer_mxfp4", "flashinfer_cutlass", "cutlass")
] + [
    {"quantization": "unquant"},
    {"quantization": "fp8"},
    {"quantization": "mxfp4", "moe_runner_backend": "auto"},
    {"json_model_override_args": '{"quantization_config": null}'},
]


@pytest.mark.parametrize("options", UPCASTS, ids=str)
@pytest.mark.parametrize("card", [RTX_4090, A10, L40S], ids=lambda card: card.name)
def test_whatever_would_turn_the_experts_into_bf16_is_refused(card, options):
    with pytest.raises(EngineJobError, match=r"turns MXFP4 experts into bf16.*39\.1 GiB"):
        plan_engine(MXFP4, [card], options=options)


def test_mxfp4_is_known_by_every_name_that_sglang_takes_for_it():
    for name in ("mxfp4", "MXFP4", "quark_mxfp4"):
        config = {**GPT_OSS, "quantization_config": {"quant_method": name}}
        assert ModelShape.from_config(config, 1).is_mxfp4


def test_a_card_that_holds_the_bf16_experts_may_have_them():
    a100 = Card("A100", 81920 << 20, (8, 0))
    plan = plan_engine(MXFP4, [a100], options={"moe_runner_backend": "triton"})
    assert plan.arguments["moe_runner_backend"] == "triton"


def test_a_model_without_mxfp4_may_have_any_moe_kernel():
    plan = plan_engine(SMALL, [RTX_4090], options={"moe_runner_backend": "triton"})
    assert plan.arguments["moe_runner_backend"] == "triton"


def test_on_hopper_the_kernels_are_left_to_sglang():
    assert (
        not {"attention_backend", "moe_runner_backend"}
        & plan_engine(MXFP4, [H100]).arguments.keys()
    )


@pytest.mark.parametrize("card", [RTX_4090, A10, H100])
def test_decode_graphs_cover_everything_that_may_run_at_once(card):
    plan = plan_engine(MXFP4, [card])
    graphs = plan.arguments["cuda_graph_max_bs_decode"]
    assert graphs == plan.arguments["max_running_requests"]
    assert graphs >= plan.concurrency
    assert graphs % 8 == 0


def test_no_more_run_at_once_than_the_lane_keeps_in_flight():
    plan = plan_engine(MXFP4, [H100], most_running=64)
    assert plan.arguments["max_running_requests"] == plan.concurrency == 64


def test_weights_cache_and_reserve_fit_the_card():
    for card in (RTX_4090, A10, H100):
        plan = plan_engine(MXFP4, [card])
        ratio = plan.arguments["swa_full_tokens_ratio"]
        cache = plan.kv_tokens * MXFP4.layer_token_bytes * 12 * (1 + ratio)
        static = plan.arguments["mem_fraction_static"] * card.memory_bytes
        assert MXFP4.loaded_bytes(card) + cache <= static


@pytest.mark.parametrize("model", [SMALL, MXFP4])
def test_a_large_card_keeps_five_to_eight_gibibytes_once_the_graphs_are_there(model):
    arguments = plan_engine(model, [H100]).arguments
    free = (1 - arguments["mem_fraction_static"]) * H100.memory_bytes
    graphs = arguments["cuda_graph_max_bs_decode"] * (2 << 20)
    assert 5.0 <= (free - graphs) / 2**30 < 8.2


def test_what_waits_in_the_queue_changes_no_size():
    few, many = (plan_engine(MXFP4, [RTX_4090], most_running=most) for most in (512, 2500))
    assert few.arguments == many.arguments
    large = plan_engine(MXFP4, [H100], most_running=2500)
    assert large.arguments["max_running_requests"] == large.concurrency == 512


def test_a_24_gb_card_keeps_what_was_measured_and_a_gibibyte():
    free = (1 - plan_engine(MXFP4, [RTX_4090]).arguments["mem_fraction_static"]) * 24564
    assert 1464 + 1024 < free < 1464 + 1024 + 512


def test_experts_are_padded_from_hopper_on_only():
    assert 1.15 < MXFP4.loaded_bytes(H100) / MXFP4.loaded_bytes(RTX_4090) < 1.17


def test_a_given_fraction_decides_the_cache_and_the_graphs():
    plan = plan_engine(MXFP4, [RTX_4090], options={"mem_fraction_static": 0.75})
    free = plan_engine(MXFP4, [RTX_4090])
    assert plan.kv_tokens < free.kv_tokens
    assert plan.arguments["cuda_graph_max_bs_decode"] < free.arguments["cuda_graph_max_bs_decode"]


def test_sliding_layers_get_a_small_cache_only_where_the_window_is_short():
    assert plan_engine(MXFP4, [RTX_4090]).arguments["swa_full_tokens_ratio"] == 0.3
    wide = ModelShape.from_config({**GPT_OSS, "sliding_window": 4096}, 13_761_264_768)
    assert plan_engine(wide, [RTX_4090]).arguments["swa_full_tokens_ratio"] == 0.8
    assert "swa_full_tokens_ratio" not in plan_engine(SMALL, [RTX_4090]).arguments


def test_an_eight_bit_cache_holds_twice_the_tokens():
    plain = plan_engine(MXFP4, [A10])
    packed = plan_engine(MXFP4, [A10], options={"kv_cache_dtype": "fp8_e5m2"})
    assert packed.kv_tokens > 1.8 * plain.kv_tokens


def test_larger_prefill_chunks_cost_cache():
    small = plan_engine(MXFP4, [RTX_4090])
    large = plan_engine(MXFP4, [RTX_4090], options={"chunked_prefill_size": 4096})
    assert 15_000 < small.kv_tokens - large.kv_tokens < 30_000, "0.3 MiB a token, as measured"
    largest = plan_engine(MXFP4, [RTX_4090], options={"chunked_prefill_size": 8192})
    assert "tp_size" not in largest.arguments, "by SGLang's own rule the weights would not fit"


def test_the_operators_options_win():
    options = {"mem_fraction_static": 0.7, "cuda_graph_max_bs_decode": 16, "log_level": "error"}
    arguments = plan_engine(MXFP4, [RTX_4090], options=options).arguments
    assert options.items() <= arguments.items()


def test_no_card_no_plan():
    with pytest.raises(EngineJobError, match="at least one GPU"):
        plan_engine(MXFP4, [])


def test_the_cache_is_eight_bit_only_where_bf16_would_hold_too_few_and_the_card_can():
    model = ModelShape.from_config({**GPT_OSS, "quantization_config": None}, 21_500_000_000)
    ada = plan_engine(model, [RTX_4090])
    assert ada.arguments["kv_cache_dtype"] == "fp8_e4m3"
    ampere = plan_engine(model, [Card("RTX 3090", 24564 << 20, (8, 6))])
    assert "kv_cache_dtype" not in ampere.arguments
    assert "kv_cache_dtype" not in plan_engine(MXFP4, [RTX_4090]).arguments
    kept = plan_engine(model, [RTX_4090], options={"kv_cache_dtype": "auto"})
    assert kept.arguments["kv_cache_dtype"] == "auto"


def test_prefill_graphs_are_for_cards_that_outrun_their_launches():
    assert plan_engine(MXFP4, [RTX_4090]).arguments["disable_prefill_cuda_graph"] is True
    assert not [name for name in plan_engine(MXFP4, [H100]).arguments if "prefill_cuda" in name]


@pytest.mark.parametrize("card", [RTX_4090, H100])
@pytest.mark.parametrize(
    "option",
    [
        {"disable_prefill_cuda_graph": False},
        {"cuda_graph_backend_prefill": "full"},
        {"disable_prefill_cuda_graph": True},
    ],
)
def test_the_operator_says_whether_there_are_prefill_graphs(card, option):
    plan = plan_engine(MXFP4, [card], options=option)
    given = {name: value for name, value in plan.arguments.items() if "prefill" in name}
    assert given == {"chunked_prefill_size": given["chunked_prefill_size"], **option}


def test_options_for_decode_graphs_say_nothing_of_prefill_graphs():
    for option in ({"disable_cuda_graph": False}, {"cuda_graph_config": {"decode": {"max_bs": 8}}}):
        arguments = plan_engine(MXFP4, [RTX_4090], options=option).arguments
        assert arguments["disable_prefill_cuda_graph"] is True


def test_the_workstations_blackwell_is_no_data_centre_card():
    card = Card("RTX 5090", 32607 << 20, (12, 0))
    assert plan_engine(MXFP4, [card]).arguments["disable_prefill_cuda_graph"] is True
    card = Card("B200", 183359 << 20, (10, 0))
    assert "disable_prefill_cuda_graph" not in plan_engine(MXFP4, [card]).arguments


def test_a_null_leaves_the_chunk_to_the_engine():
    plan = plan_engine(MXFP4, [RTX_4090], options={"chunked_prefill_size": None})
    assert plan.kv_tokens == plan_engine(MXFP4, [RTX_4090]).kv_tokens
    assert plan.arguments["chunked_prefill_size"] is None


@pytest.mark.parametrize(
    "name",
    [
        "chunked_prefill_size",
        "tp_size",
        "max_running_requests",
        "mem_fraction_static",
        "max_total_tokens",
        "swa_full_tokens_ratio",
    ],
)
def test_an_option_that_is_no_number_is_named(name):
    with pytest.raises(EngineJobError, match=f"option {name} .* is 'auto'; expected a number"):
        plan_engine(MXFP4, [RTX_4090], options={name: "auto"})


@pytest.mark.parametrize("chunk", [-1, 0])
def test_whole_prompts_take_more_memory_than_chunks(chunk):
    usual, whole = (
        plan_engine(MXFP4, [RTX_4090], options=options)
        for options in ({}, {"chunked_prefill_size": chunk, "max_prefill_tokens": 8192})
    )
    assert whole.arguments["chunked_prefill_size"] == chunk
    assert whole.kv_tokens < usual.kv_tokens - 30_000


def test_further_chunk_tokens_are_reckoned_as_measured_for_such_models_alone():
    other = replace(MXFP4, is_mxfp4=False)
    room = [
        plan_engine(
            shape, [L40S], most_running=32, options={"chunked_prefill_size": size}
        ).arguments
        for shape in (MXFP4, other)
        for size in (2048, 8192)
    ]
    taken = [(1 - one["mem_fraction_static"]) * L40S.memory_bytes / (1 << 20) for one in room]
    assert 1_700 < taken[1] - taken[0] < 2_100
    assert taken[3] - taken[2] > 8_000


def test_graph_sizes_of_the_operator_are_not_contradicted():
    arguments = plan_engine(MXFP4, [H100], options={"cuda_graph_bs_decode": [1, 8, 64]}).arguments
    assert "cuda_graph_max_bs_decode" not in arguments


def test_vllm_gets_the_same_sizes_under_its_own_names():
    ours = plan_engine(MXFP4, [RTX_4090] * 2, terms=VLLM, kernels=VllmEngine.kernels)
    sglang = plan_engine(MXFP4, [RTX_4090] * 2)
    assert "tensor_parallel_size" not in ours.arguments
    assert (ours.kv_tokens, ours.concurrency) == (sglang.kv_tokens, sglang.concurrency)
    assert ours.arguments["max_num_seqs"] == sglang.arguments["max_running_requests"]
    assert ours.arguments["max_num_batched_tokens"] == 2048
    assert ours.arguments["max_cudagraph_capture_size"] == ours.arguments["max_num_seqs"]


@pytest.mark.parametrize("card", [RTX_4090, H100], ids=lambda card: card.name)
def test_vllm_measures_its_activations_within_its_share(card):
    """So the share leaves the card to others only, and SGLang's leaves the activations too."""
    ours = plan_engine(MXFP4, [card], terms=VLLM, kernels=VllmEngine.kernels).arguments
    assert 0.93 < ours["gpu_memory_utilization"] < 0.96
    assert (
        ours["gpu_memory_utilization"] > plan_engine(MXFP4, [card]).arguments["mem_fraction_static"]
    )


def test_vllms_split_is_asked_for_by_its_own_name():
    with pytest.raises(EngineJobError, match=r'\{"tensor_parallel_size": 2\}'):
        plan_engine(BF16, [RTX_4090], terms=VLLM, kernels=VllmEngine.kernels)
    plan = plan_engine(BF16, [RTX_4090] * 2, terms=VLLM, kernels=VllmEngine.kernels)
    assert plan.arguments["tensor_parallel_size"] == 2


def test_less_of_the_card_holds_fewer_requests_of_vllm():
    def concurrency(**options):
        plan = plan_engine(
            MXFP4, [RTX_4090], terms=VLLM, kernels=VllmEngine.kernels, options=options
        )
        return plan.concurrency

    assert concurrency(gpu_memory_utilization=0.8) < concurrency(gpu_memory_utilization=0.9)
    assert concurrency(gpu_memory_utilization=0.9) <= concurrency()
