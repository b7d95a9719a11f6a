"""How a world says that a key of its configuration names a file or a module, and which of them a configuration names.

A world annotates the key, wherever it stands in its model: `rom: Annotated[str, FilePath(ships=is_rom)] = ...`. Who may
name files is no matter of the world; see `foreign_config.py`.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import PurePath
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel
from typing_extensions import is_typeddict


def _ships_nothing(_: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePath:
    """Marks a key whose text is the path of a file or folder; its default always comes with the world.

    Attributes:
        ships: Whether a text names what comes with the world, and no file of the user.
    """

    ships: Callable[[str], bool] = _ships_nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleName:
    """Marks a key whose text is the name of a Python module that is imported where the configuration is run."""


Mark = FilePath | ModuleName


@dataclass(frozen=True, slots=True, kw_only=True)
class TextValue:
    """A text of a configuration, or the place of one that is not given.

    Attributes:
        place: Keys and indices that lead to it.
        value: The text; None where the key takes a text and has none.
        mark: What the world says that it names; None where it names neither file nor module.
        is_default: Whether it is what the key holds unless it is given.
        is_path: Whether the key is annotated as a path of the file system.
    """

    place: tuple[str | int, ...]
    value: str | None
    mark: Mark | None
    is_default: bool
    is_path: bool

    @property
    def key(self) -> str:
        """The place with dots between its parts."""
        return ".".join(map(str, self.place))


def named_files(config: BaseModel) -> tuple[TextValue, ...]:
    """Return the texts of a configuration that name files of the user, in the order of its keys."""
    return tuple(
        text
        for text in text_values(config)
        if isinstance(text.mark, FilePath)
        and text.value is not None
        and not text.is_default
        and not text.mark.ships(text.value)
    )


def named_modules(config: BaseModel) -> tuple[str, ...]:
    """Return the Python modules that a configuration names, in the order of its keys."""
    found = (text.value for text in text_values(config) if isinstance(text.mark, ModuleName))
    return tuple(name for name in found if name is not None)


def text_values(config: BaseModel) -> Iterator[TextValue]:
    """Yield every text of a configuration, at any depth, and every key that could hold one and holds nothing."""
    yield from _of_model(config, (), is_default=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextKey:
    """A key that takes a text, wherever it stands in a model; `key` has dots between its parts, see `TextValue`."""

    key: str
    mark: Mark | None
    is_path: bool


def text_keys(model: type[BaseModel]) -> Iterator[TextKey]:
    """Yield every key of a model that takes a text, with the keys of sections and of what lists and mappings hold."""
    yield from _keys_of_record(model, "", ())


_Place = tuple[str | int, ...]
_Kind = tuple[Any, tuple[object, ...]]  # a type, and what stands around it in `Annotated`


def _of_model(model: BaseModel, place: _Place, *, is_default: bool) -> Iterator[TextValue]:
    for name, item in type(model).model_fields.items():
        value = model.__dict__[name]
        usual = is_default or (
            not item.is_required() and value == item.get_default(call_default_factory=True, validated_data={})
        )
        yield from _of_value(value, item.annotation, tuple(item.metadata), (*place, name), is_default=usual)


def _of_value(
    value: object, annotation: Any, metadata: tuple[object, ...], place: _Place, *, is_default: bool
) -> Iterator[TextValue]:
    if isinstance(value, BaseModel):
        yield from _of_model(value, place, is_default=is_default)
        return
    kinds = tuple(_kinds(annotation, metadata))
    if value is None or isinstance(value, str | PurePath):
        texts = [(kind, around) for kind, around in kinds if _is_text(kind)]
        if texts:
            marks = (one for _, around in texts for one in around if isinstance(one, FilePath | ModuleName))
            yield TextValue(
                place=place,
                value=None if value is None else str(value),
                mark=next(marks, None),
                is_default=is_default,
                is_path=any(kind is not str for kind, _ in texts),
            )
        return
    for key, item, inside in _entries(value, kinds):
        yield from _of_value(item, inside, (), (*place, key), is_default=is_default)


def _keys_of_record(kind: type, inside: str, above: tuple[type, ...]) -> Iterator[TextKey]:
    for name, annotation in get_type_hints(kind, include_extras=True).items():
        if not issubclass(kind, BaseModel) or name in kind.model_fields:
            yield from _keys_of_annotation(annotation, (), f"{inside}{name}", (*above, kind))


def _keys_of_annotation(
    annotation: Any, metadata: tuple[object, ...], key: str, above: tuple[type, ...]
) -> Iterator[TextKey]:
    for kind, around in _kinds(annotation, metadata):
        if _is_text(kind):
            mark = next((one for one in around if isinstance(one, FilePath | ModuleName)), None)
            yield TextKey(key=key, mark=mark, is_path=kind is not str)
        elif _is_record(kind) and kind not in above:
            yield from _keys_of_record(kind, f"{key}.", above)
        else:
            for inside in get_args(kind):
                yield from _keys_of_annotation(inside, (), key, above)


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and (issubclass(kind, BaseModel) or is_dataclass(kind) or is_typeddict(kind))


def _entries(value: object, kinds: tuple[_Kind, ...]) -> Iterator[tuple[str | int, object, Any]]:
    """Yield what a container holds: key or index, value and annotation, by the first type that says what that is."""
    if is_dataclass(value):
        hints = get_type_hints(type(value), include_extras=True)
        yield from ((item.name, value.__dict__[item.name], hints[item.name]) for item in fields(value))
        return
    for kind, _ in kinds:
        inside = get_args(kind)
        if isinstance(value, Mapping) and is_typeddict(kind):
            hints = get_type_hints(kind, include_extras=True)
            yield from ((key, item, hints[key]) for key, item in value.items() if key in hints)
        elif isinstance(value, Mapping) and len(inside) == 2:
            yield from ((str(key), item, inside[1]) for key, item in value.items())
        elif isinstance(value, Collection) and not isinstance(value, Mapping) and inside:
            origin: object = get_origin(kind)
            is_fixed = origin is tuple and inside[-1] is not Ellipsis
            yield from ((index, item, inside[index if is_fixed else 0]) for index, item in enumerate(value))
        else:
            continue
        return


def _is_text(kind: object) -> bool:
    return isinstance(kind, type) and (kind is str or issubclass(kind, PurePath))


def _kinds(annotation: Any, metadata: tuple[object, ...]) -> Iterator[_Kind]:
    """Yield the alternatives of an annotation."""
    if get_origin(annotation) is Annotated:
        inner, *around = get_args(annotation)
        yield from _kinds(inner, (*around, *metadata))
    elif get_origin(annotation) in (Union, UnionType):
        for one in get_args(annotation):
            yield from _kinds(one, metadata)
    else:
        yield annotation, metadata
