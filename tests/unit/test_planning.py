"""Fingerprints, reasons and the arithmetic of a night."""

from __future__ import annotations

from dataclasses import replace

import pytest

from profiles.models import EngineProfile, LengthBand, LengthRule, Sampling, StaleReason
from profiles.planning import (
    LastCompletion,
    estimate_night,
    fingerprint,
    lane_count,
    lane_label,
    release_key,
    stale_reason,
)


def profile(**overrides):
    values = {
        "name": "structured",
        "version": "1",
        "answer": "json",
        "skills_from": "model",
        "system_prompt": "Write a summary.",
        "user_template": "{{document}}",
        "output_schema": '{"type":"object"}',
        "length": LengthRule(LengthBand(400, 600), 600, 0.4, 0.8),
        "sampling": Sampling(),
        "attempts": 2,
        "max_document_tokens": 6000,
        "retry_max_new_tokens": 1600,
    }
    return EngineProfile(**(values | overrides))


def key(profile_=None, **overrides):
    values = {
        "engine": "sglang",
        "model": "model-a",
        "model_revision": "r1",
        "renderer_version": "1",
    }
    return release_key(profile_ or profile(), **(values | overrides))


def mark(release, content_hash="document"):
    return fingerprint(content_hash=content_hash, release=release)


class TestFingerprint:
    def test_is_the_same_for_the_same_inputs_and_differs_for_another_document(self):
        assert mark(key()) == mark(key())
        assert mark(key(), "other") != mark(key())

    @pytest.mark.parametrize(
        "change",
        [
            {"system_prompt": "Write more."},
            {"user_template": "Record: {{document}}"},
            {"output_schema": '{"type":"array"}'},
            {"length": LengthRule(LengthBand(300, 600), 600, 0.4, 0.8)},
            {"sampling": Sampling(temperature=0.3)},
            {"sampling": Sampling(repetition_penalty=1.0)},
            {"sampling": Sampling(stop=("END",))},
            {"sampling": Sampling(top_p=0.9)},
            {"sampling": Sampling(top_k=40)},
            {"max_document_tokens": 500},
            {"document_form": "plain"},
            {"answer_prefix": "The candidate is"},
            {"files": {"profile.yaml": '{"plain_form": "2"}'}},
        ],
    )
    def test_changes_with_everything_that_shapes_the_answer(self, change):
        assert mark(key(profile(**change))) != mark(key())

    def test_changes_with_model_and_revision(self):
        assert len({mark(key()), mark(key(model="b")), mark(key(model_revision="r2"))}) == 3

    @pytest.mark.parametrize(
        "change",
        [
            {"sampling": Sampling(seed=7)},
            {"sampling": Sampling(max_new_tokens=99)},
            {"sampling": Sampling(logprobs=True)},
            {"attempts": 3},
            {"retry_max_new_tokens": 2000},
            {"name": "renamed"},
        ],
    )
    def test_ignores_seed_token_cap_attempts_and_names(self, change):
        assert mark(key(profile(**change))) == mark(key())

    def test_ignores_engine_and_renderer_version(self):
        assert mark(key(engine="openai", renderer_version="2")) == mark(key())

    def test_release_id_covers_engine_and_renderer_too(self):
        ids = {key().release_id, key(engine="openai").release_id}
        ids.add(key(renderer_version="2").release_id)
        assert len(ids) == 3
        assert key(engine="openai").changes(key()) == ("engine",)
        assert key(model_revision="r2", model="b").changes(key()) == ("model",)


class TestStaleReason:
    def reason(self, *, release=None, renderer_version="1", content_hash="document", **last):
        now = key()
        was = LastCompletion(
            content_hash="document",
            prompt_digest=now.prompt_digest,
            schema_digest=now.schema_digest,
            sampling_digest=now.sampling_digest,
            renderer_version="1",
        )
        return stale_reason(
            content_hash=content_hash,
            renderer_version=renderer_version,
            release=release or now,
            last=replace(was, **last),
        )

    def test_never_synthesised_is_new(self):
        found = stale_reason(content_hash="d", renderer_version="1", release=key(), last=None)
        assert found is StaleReason.NEW

    def test_changed_bytes_are_explained_by_identity_then_renderer_then_source(self):
        changed = {"content_hash": "newer"}
        assert self.reason(**changed, identity_changed=True) is StaleReason.IDENTITY_CHANGED
        assert self.reason(**changed, renderer_version="2") is StaleReason.RENDERER_CHANGED
        assert self.reason(**changed) is StaleReason.SOURCE_CHANGED
        both = self.reason(**changed, renderer_version="2", source_changed=True)
        assert both is StaleReason.SOURCE_CHANGED

    @pytest.mark.parametrize(
        ("release", "expected"),
        [
            (key(profile(system_prompt="x")), StaleReason.PROMPT_CHANGED),
            (key(profile(output_schema="{}")), StaleReason.SCHEMA_CHANGED),
            (key(profile(sampling=Sampling(temperature=1))), StaleReason.SAMPLING_CHANGED),
            (key(model="b"), StaleReason.MODEL_CHANGED),
            (key(model_revision="r2"), StaleReason.MODEL_CHANGED),
        ],
    )
    def test_same_bytes_are_explained_by_the_release(self, release, expected):
        assert self.reason(release=release) is expected

    def test_a_refusal_that_a_person_wants_tried_again_is_retried(self):
        found = stale_reason(
            content_hash="d", renderer_version="1", release=key(), last=None, retried=True
        )
        assert found is StaleReason.RETRIED

    def test_forced_is_said_only_of_what_is_not_stale(self):
        found = stale_reason(
            content_hash="d", renderer_version="1", release=key(), last=None, forced=True
        )
        assert found is StaleReason.FORCED


class TestLanes:
    def test_follow_the_pool_unless_asked_and_never_exceed_the_documents(self):
        assert lane_count(wanted=None, pool_slots=4, documents=100) == 4
        assert lane_count(wanted=6, pool_slots=4, documents=100) == 6
        assert lane_count(wanted=None, pool_slots=4, documents=3) == 3
        assert lane_count(wanted=None, pool_slots=4, documents=0) == 0
        assert lane_count(wanted=None, pool_slots=0, documents=5) == 1
        assert lane_count(wanted=5000, pool_slots=1, documents=9999) == 1024

    def test_have_readable_names(self):
        assert lane_label(3, "sglang") == "lane 3 · sglang"
        assert lane_label(0, "tests.scripted_engine:ScriptedEngine") == "lane 0 · ScriptedEngine"


class TestNight:
    def night(self, **overrides):
        values = {
            "documents": 475_000,
            "prompt_tokens": 1,
            "output_tokens_each": 800,
            "lanes": 1,
            "tokens_per_second": 3000,
            "window_hours": 8,
        }
        return estimate_night(**(values | overrides))

    def test_three_thousand_tokens_a_second_take_thirty_five_hours(self):
        assert self.night().hours == pytest.approx(35.2, abs=0.1)
        assert self.night().fits == 108_000

    def test_lanes_divide_the_hours(self):
        assert self.night(lanes=5).hours == pytest.approx(self.night().hours / 5)
        assert self.night(lanes=5).fits == 475_000

    def test_nothing_to_do_takes_no_time(self):
        empty = self.night(documents=0, lanes=0)
        assert (empty.hours, empty.fits, empty.output_tokens) == (0, 0, 0)
