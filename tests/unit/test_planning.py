"""Inputs of a fingerprint, and the arithmetic of a night."""

from __future__ import annotations

import pytest

from profiles.models import EngineProfile, LengthBand, LengthRule, Sampling
from profiles.planning import (
    NightEstimate,
    ReleaseKey,
    lane_count,
    profile_digests,
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
    return ReleaseKey(**(profile_digests(profile_ or profile()) | values | overrides))


def mark(release):
    return release.answer_digest


class TestAnswerDigest:
    def test_is_the_same_for_the_same_inputs(self):
        assert mark(key()) == mark(key())

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


class TestLanes:
    def test_follow_the_pool_unless_asked_and_never_exceed_the_documents(self):
        assert lane_count(wanted=None, pool_slots=4, documents=100) == 4
        assert lane_count(wanted=6, pool_slots=4, documents=100) == 6
        assert lane_count(wanted=None, pool_slots=4, documents=3) == 3
        assert lane_count(wanted=None, pool_slots=4, documents=0) == 0
        assert lane_count(wanted=None, pool_slots=0, documents=5) == 1
        assert lane_count(wanted=5000, pool_slots=1, documents=9999) == 1024


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
        return NightEstimate(**(values | overrides))

    def test_three_thousand_tokens_a_second_take_thirty_five_hours(self):
        assert self.night().hours == pytest.approx(35.2, abs=0.1)
        assert self.night().fits == 108_000

    def test_lanes_divide_the_hours(self):
        assert self.night(lanes=5).hours == pytest.approx(self.night().hours / 5)
        assert self.night(lanes=5).fits == 475_000

    def test_nothing_to_do_takes_no_time(self):
        empty = self.night(documents=0, lanes=0)
        assert (empty.hours, empty.fits, empty.output_tokens) == (0, 0, 0)
