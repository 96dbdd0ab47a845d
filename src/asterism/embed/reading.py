"""Which embedder a word means."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard

from asterism.embed.callable import CallableEmbedder
from asterism.embed.checked import CheckedEmbedder
from asterism.embed.port import Embedder
from asterism.errors import InputError
from asterism.hints import Hint, elsewhere, in_python, option

REMOTE = "remote:"


def _words() -> Embedder:
    from asterism.embed.wordllama import WordLlamaEmbedder

    return WordLlamaEmbedder()


def _hashed() -> Embedder:
    from asterism.embed.hashed import HashedEmbedder

    return HashedEmbedder()


def _minilm() -> Embedder:
    from asterism.embed.minilm import MiniLMEmbedder

    return MiniLMEmbedder()


NAMES: dict[str, Callable[[], Embedder]] = {"default": _words, "hashed": _hashed, "minilm": _minilm}


def open_embedder(
    spec: str | Embedder | Callable[[list[str]], object] | None = None, *, api_key: str | None = None
) -> CheckedEmbedder:
    """Give the embedder that `spec` means, checked: a name, an embedder, or a function from texts to rows of numbers.

    Names: default, hashed, minilm, remote:URL#MODEL. None is default where its package is installed, else hashed.
    `api_key` is for a remote one. Weights are found at once and read at first use; a server is asked nothing before.

    >>> open_embedder("hashed").identity
    'hashed-words-256-1'
    """
    if isinstance(spec, CheckedEmbedder):
        return spec
    if spec is None:
        return CheckedEmbedder(_words() if has_word_vectors() else _hashed())
    if isinstance(spec, str):
        return CheckedEmbedder(_named(spec, api_key))
    if isinstance(spec, type):
        raise _unknown(spec.__name__)
    if _embeds(spec):
        return CheckedEmbedder(spec)
    if callable(spec):
        return CheckedEmbedder(CallableEmbedder(spec))
    raise _unknown(repr(spec))


def has_word_vectors() -> bool:
    """Say whether the package of the default embedder is installed."""
    from asterism.embed.wordllama import WordLlamaEmbedder

    return WordLlamaEmbedder.is_installed()


def _embeds(spec: object) -> TypeGuard[Embedder]:
    return hasattr(spec, "embed")  # and no more: to ask a remote one for its dimension would send a request


def _named(spec: str, api_key: str | None) -> Embedder:
    if spec.startswith(REMOTE):
        from asterism.embed.remote import RemoteEmbedder  # here, for the network's modules take 30 ms to import

        url, _, model = spec.removeprefix(REMOTE).partition("#")
        return RemoteEmbedder(url, model=model, api_key=api_key)
    if spec not in NAMES:
        raise _unknown(spec)
    return NAMES[spec]()


def _unknown(spec: str) -> InputError:
    return InputError(
        f"{spec!r} is no embedder",
        code="unknown_embedder",
        item=spec,
        hint=Hint(
            elsewhere("use ", option("embedder"), " "),
            f"{', '.join(NAMES)}, {REMOTE}URL#MODEL",
            in_python(", an object with embed(texts), or a function from texts to vectors"),
        ),
    )
