"""Settings lose their secrets before they are stored."""

from __future__ import annotations

import json

from profiles.settings import without_secrets


def test_secrets_of_engine_options_are_hidden_at_every_depth():
    options = {
        "api_key": "MARK",
        "api_key_env": "TEAM_KEY",
        "headers": {"Authorization": "MARK"},
        "extra_body": {"metadata": {"api_key": "MARK"}, "list": ["MARK"], "top_p": 0.9},
        "max_total_tokens": 7,
        "response_format": "json_object",
    }
    shown = without_secrets({"engine": "openai", "engine_options": json.dumps(options)})
    assert "MARK" not in json.dumps(shown)
    assert shown["engine_options"]["extra_body"]["top_p"] == 0.9
    assert shown["engine_options"]["max_total_tokens"] == 7
    assert shown["engine_options"]["response_format"] == "json_object"
    assert shown["engine_options"]["api_key_env"] == "TEAM_KEY"


def test_what_was_stored_without_secrets_stays_as_it_is():
    once = without_secrets({"engine_options": '{"api_key": "MARK", "mem": 0.9}'})
    assert without_secrets(once) == once


def test_options_that_are_not_json_are_hidden_and_a_file_is_named():
    assert without_secrets({"engine_options": '{"api_key": MARK'}) == {"engine_options": "(hidden)"}
    assert without_secrets({"engine_options": "@tuned.json"}) == {"engine_options": "@tuned.json"}
