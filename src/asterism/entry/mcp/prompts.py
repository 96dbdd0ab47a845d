"""Prompts that a user can pick: what to do with the memory, told to the model in a few steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from asterism.errors import InputError, UnknownError


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request to the model, with places that the user fills in."""

    name: str
    title: str
    about: str
    takes: Mapping[str, str]  # each place, and what belongs there
    says: str

    def told(self, arguments: Mapping[str, object]) -> str:
        """Write it with the places filled in; each has to be."""
        unknown = [name for name in arguments if name not in self.takes]
        missing = [name for name in self.takes if not str(arguments.get(name) or "").strip()]
        if unknown or missing:
            wrong = [f"it has no {name}" for name in unknown] + [f"{name} is missing" for name in missing]
            raise InputError(
                f"the prompt {self.name}: {', '.join(wrong)}",
                code="bad_arguments",
                item=self.name,
                hint=f"it takes {', '.join(self.takes) or 'nothing'}",
            )
        return self.says.format(**{name: str(arguments[name]).strip() for name in self.takes})


PROMPTS = (
    Prompt(
        "recall_first",
        "Answer from memory",
        "Answer a question with what the memory knows, and say so where it knows nothing.",
        {"question": "What to answer."},
        "Answer this question: {question}\n\n"
        "Call recall with the question first. Where two facts contradict each other, say so and give both. If nothing "
        "that was recalled answers it, say that the memory does not know; do not guess.",
    ),
    Prompt(
        "what_changed",
        "What changed since",
        "Tell what was learned since a day.",
        {"since": "A day, like 2026-01-31."},
        "Tell me what changed in the memory since {since}.\n\n"
        'Call show with since="{since}" and go on with offset until all is listed. For facts that replaced others, '
        "call show with their slot and tell what held before. Group what belongs together, the most important first, "
        "each with its date.",
    ),
    Prompt(
        "settle_conflicts",
        "Settle contradictions",
        "Go through facts that probably cannot both hold, and let the user decide.",
        {},
        'Call show with what="conflicts". For each pair tell me both facts with their dates and ask me which holds. Do '
        "not decide for me. When I have answered: if one fact took the other's place, call learn with the one that "
        "holds and replaces set to the id of the other; if one was wrong, call edit or forget; if both hold, leave "
        "them as they are.",
    ),
)


def prompt_of(name: str) -> Prompt:
    """Find a prompt."""
    for prompt in PROMPTS:
        if prompt.name == name:
            return prompt
    raise UnknownError(
        f"there is no prompt {name[:200]!r}",
        code="unknown_prompt",
        item=name[:200],
        hint=f"there are {', '.join(each.name for each in PROMPTS)}",
    )
