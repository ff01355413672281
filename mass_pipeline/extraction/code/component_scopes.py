"""Names that a template of a page sees: what the options of Vue, the data of Alpine and the controllers of AngularJS give it.

Source: Vue's Options API, Alpine's `x-data`, AngularJS' developer guide (controllers, scopes).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from mass_pipeline.extraction.code.classes import THIS
from mass_pipeline.extraction.code.evaluating import Evaluator
from mass_pipeline.extraction.code.syntax import children, text_of
from mass_pipeline.extraction.code.values import NOTHING, UNKNOWN, Absent, Function, Markup, Number, Scope, Value, is_false

_GIVING: Final = ("data", "setup", "asyncData")
_BEGINS: Final = ("init", "beforeCreate", "created", "beforeMount", "mounted", "$onInit")
_SET: Final = re.compile(
    r"(?<![\w.$'\"-])(?:this\.|vm\.|\$scope\.)?([A-Za-z_]\w{0,60})(?:\.value)?\s{0,9}(?:=(?![=>])|\+\+|--|\|\|=)"
)
_MODEL: Final = re.compile(r"(?:v|x|ng)-model[\w.]{0,40}\s*=\s*[\"']\s*([A-Za-z_]\w{0,60})")


def set_later(code: str, attributes: str) -> set[str]:
    """Names that a visitor or a function changes: set in an attribute, or in the code other than where they are declared.

    Args:
        code: the scripts of a page.
        attributes: the values of its directives, one a line.

    >>> sorted(set_later("const a = 1; $scope.b = 1; this.c = 2; $scope.b = 3", "tab = 'nd'"))
    ['b', 'c', 'tab']
    """
    found = set(_SET.findall(attributes)) | set(_MODEL.findall(attributes))
    once: set[str] = set()
    for match in _SET.finditer(code):
        is_first = match[1] not in once
        if not (is_first and (match[0].startswith(("$scope", "vm.")) or _is_declared(code, match.start()))):
            found.add(match[1])
        once.add(match[1])
    return found


def _is_declared(code: str, at: int) -> bool:
    return code[max(0, at - 8) : at].rstrip().endswith(("const", "let", "var"))


def scope_of_data(evaluator: Evaluator, data: Value, outer: Scope, changed: set[str]) -> Scope:
    """The names of an object, after it has begun: its methods see the object as `this`, its getters are worked out.

    Args:
        evaluator: works out what the methods do.
        data: of `x-data`, `v-scope` or a component; unknown gives no names.
        outer: names around it.
        changed: names that change later (`set_later`): such flags are unknown, such texts may be others.
    """
    scope = _empty(outer)
    _take(evaluator, data, scope, changed)
    _begin(evaluator, scope)
    return scope


def scope_of_options(
    evaluator: Evaluator, options: Mapping[str, Value], outer: Scope, changed: set[str], given: Mapping[str, Value]
) -> Scope:
    """The names that the options of a component of Vue give to its template.

    Args:
        evaluator, outer, changed: as for `scope_of_data`.
        options: of the component.
        given: its properties.
    """
    scope = _empty(outer)
    described = options.get("props", UNKNOWN)
    for name, one in described.items() if isinstance(described, dict) else ():
        default = one.get("default", UNKNOWN) if isinstance(one, dict) else UNKNOWN
        scope.names[name] = evaluator.call(default, []) if isinstance(default, Function) else default
    scope.names |= given
    _take(evaluator, options.get("methods", UNKNOWN), scope, changed)
    for name in _GIVING:
        held = options.get(name, UNKNOWN)
        properties: list[Value] = [dict(given)]
        _take(evaluator, evaluator.call(_seeing(held, scope), properties) if isinstance(held, Function) else held, scope, changed)
    computed = options.get("computed", UNKNOWN)
    for _ in range(2):  # a computed value may need a later one
        for name, one in computed.items() if isinstance(computed, dict) else ():
            getter = one.get("get", UNKNOWN) if isinstance(one, dict) else one
            scope.names[name] = evaluator.call(_seeing(getter, scope), [UNKNOWN]) if isinstance(getter, Function) else UNKNOWN
        if not computed:
            break
    for name in _BEGINS:
        hook = options.get(name, UNKNOWN)
        if isinstance(hook, Function):
            evaluator.call(_seeing(hook, scope), [])
    return scope


def scope_of_controller(evaluator: Evaluator, function: Value, outer: Scope, changed: set[str], alias: str = "") -> Scope:
    """The names that a controller of AngularJS gives to its template.

    Args:
        evaluator, outer, changed: as for `scope_of_data`.
        function: the controller, or a list of names whose last item it is.
        alias: of `ng-controller="Msze as vm"`, "" without one.
    """
    if isinstance(function, list) and function:
        function = function[-1]
    scope = _empty(outer)
    if not isinstance(function, Function):
        return scope
    shown: dict[str, Value] = {}
    this: dict[str, Value] = {}
    around = Scope(function.scope, {THIS: this})
    names = [text_of(one).partition(":")[0].strip() for one in children(function.node, "parameters")]
    evaluator.call(Function(function.node, around), [shown if name == "$scope" else UNKNOWN for name in names])
    this |= {name: one for name, one in around.names.items() if name != THIS and isinstance(one, _KNOWN)}
    _take(evaluator, shown, scope, changed)
    if alias:
        scope.names[alias] = this
    _begin(evaluator, scope)
    return scope


_KNOWN: Final = (str, bool, list, dict, Markup, Function, Absent)


def _empty(outer: Scope) -> Scope:
    return Scope(outer, {THIS: UNKNOWN})


def _seeing(function: Function, scope: Scope) -> Function:
    """A function to which the names of a component are `this`."""
    return Function(function.node, Scope(function.scope, scope.names, scope.changing))


def _take(evaluator: Evaluator, data: Value, scope: Scope, changed: set[str]) -> None:
    getters = []
    for name, value in data.items() if isinstance(data, dict) else ():
        if isinstance(value, Function):
            getters += [name] if any(one.type == "get" for one in value.node.children) else []
            value = _seeing(value, scope)
        elif name in changed and _is_flag(value):
            value = UNKNOWN
        elif name in changed and isinstance(value, str):
            scope.changing.add(name)
        scope.names[name] = value
    for name in getters:
        getter = scope.names[name]
        scope.names[name] = evaluator.call(getter, []) if isinstance(getter, Function) else UNKNOWN


def _is_flag(value: Value) -> bool:
    return isinstance(value, (bool, Number)) or (is_false(value) and value is not NOTHING)


def _begin(evaluator: Evaluator, scope: Scope) -> None:
    for name in _BEGINS:
        begin = scope.names.get(name)
        if isinstance(begin, Function):
            evaluator.call(begin, [])
