# SPDX-License-Identifier: Apache-2.0
"""What functions of src/plan/real_arithmetic.h compute, for z3, and proofs about them.

Every operation gives the exact result, rounded. Of rounding it is known that it is monotonic and symmetric, that it keeps some
numbers, and how large its error is. All of this holds for IEEE 754's roundings to nearest, as long as nothing overflows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

import z3
from c_form import COMPARISONS, Unit
from pycparser import c_ast

TIMEOUT_MS = 60_000
KEPT = tuple(sign * size for size in (Fraction(1, 2**41), Fraction(1, 2), Fraction(1)) for sign in (1, -1)) + (Fraction(0),)
DIGITS = {"float": 24, "double": 53}
SMALLEST = {"float": Fraction(1, 2**149), "double": Fraction(1, 2**1074)}
ORDER = ("int", "float", "double")


def real(value) -> z3.ArithRef:
    return z3.RealVal(str(Fraction(value))) if isinstance(value, (int, float, Fraction)) else value


def absolute(x: z3.ArithRef) -> z3.ArithRef:
    return z3.If(x < 0, -x, x)


@dataclass
class Value:
    term: z3.ArithRef
    type: str


@dataclass
class Rounding:
    """exact: nothing is rounded. errors: the size of errors is known, too."""

    exact: bool = False
    errors: bool = False
    facts: list = field(default_factory=list)
    duties: list = field(default_factory=list)  # what must hold for the operations to be defined
    applied: dict = field(default_factory=dict)  # place in the text -> exact and rounded results
    count: int = 0

    def fresh(self, name: str) -> z3.ArithRef:
        self.count += 1
        return z3.Real(f"{name}{self.count}")

    def __call__(self, place: object, ctype: str, term: z3.ArithRef) -> Value:
        if self.exact:
            return Value(term, ctype)
        result = self.fresh("rounded")
        for kept in KEPT:
            self.facts += [z3.Implies(term >= kept, result >= kept), z3.Implies(term <= kept, result <= kept)]
        for other, rounded in self.applied.setdefault((place, ctype), []):
            for sign in (1, -1):  # rounding to nearest is symmetric
                self.facts.append(z3.Implies(term <= sign * other, result <= sign * rounded))
                self.facts.append(z3.Implies(term >= sign * other, result >= sign * rounded))
        self.applied[place, ctype].append((term, result))
        if self.errors:
            error = absolute(term) * real(Fraction(1, 2 ** DIGITS[ctype])) + real(SMALLEST[ctype])
            self.facts += [result <= term + error, result >= term - error]
        return Value(result, ctype)

    def quotient(self, a: z3.ArithRef, b: z3.ArithRef) -> z3.ArithRef:
        result = self.fresh("quotient")
        self.duties.append(("divisor is above 0", b > 0))
        self.facts.append(z3.Implies(b > 0, result * b == a))
        return result


@dataclass
class Call:
    """One call of a function."""

    unit: Unit
    rounding: Rounding

    def of(self, name: str, *arguments) -> z3.ArithRef:
        function = self.unit.functions[name]
        env = {}
        for (parameter, ctype), given in zip(self.unit.parameters(name), arguments, strict=True):
            env[parameter] = Value(given if isinstance(given, z3.BoolRef) else real(given), ctype)
        self.type = self.unit.type_of(function.decl.type)
        results = list(self.run(function.body.block_items, env, []))
        value = results[-1][1]
        for guards, each in reversed(results[:-1]):
            value = z3.If(z3.And(*guards), each, value)
        return value

    # ---- Statements ---------------------------------------------------------------------------------------------

    def run(self, statements: Iterable, env: dict, guards: list):
        """Gives the conditions and the value of each way to a return, which together are all ways."""
        for node in statements:
            match node:
                case c_ast.Decl():
                    env = {**env, node.name: self.under(guards, node.init, env)}
                case c_ast.Return():
                    value = self.under(guards, node.expr, env)
                    yield guards, value.term if self.type == "bool" else self.converted(node, value, self.type).term
                    return
                case c_ast.Break():
                    return
                case c_ast.If():
                    condition = self.condition(node.cond, env)
                    if not z3.is_false(condition):
                        yield from self.run([node.iftrue], env, [*guards, condition])
                    if z3.is_true(condition):
                        return
                    guards = [*guards, z3.Not(condition)]
                case c_ast.Switch():
                    ways = list(self.run(taken(node, self.unit.enumerators, self.mode(node.cond, env)), env, guards))
                    yield from ways
                    if any(len(found) == len(guards) for found, _ in ways):  # returned, whatever the conditions
                        return
                    guards = guards + [z3.Not(z3.And(*found[len(guards) :])) for found, _ in ways]
                case _:
                    raise NotImplementedError(type(node).__name__)

    def under(self, guards: list, node, env: dict) -> Value:
        """A value that is computed where the conditions hold, and so are its duties."""
        before = len(self.rounding.duties)
        value = self.evaluate(node, env)
        self.rounding.duties[before:] = [(what, z3.Implies(z3.And(*guards), duty)) for what, duty in self.rounding.duties[before:]]
        return value

    def mode(self, node, env: dict) -> int:
        return z3.simplify(self.evaluate(node, env).term).as_fraction().numerator

    # ---- Expressions --------------------------------------------------------------------------------------------

    def condition(self, node, env: dict) -> z3.BoolRef:
        match node:
            case c_ast.BinaryOp(op="&&" | "||"):
                join = z3.And if node.op == "&&" else z3.Or
                return z3.simplify(join(self.condition(node.left, env), self.condition(node.right, env)))
            case c_ast.BinaryOp():
                a, b = self.evaluate(node.left, env).term, self.evaluate(node.right, env).term
                return z3.simplify(COMPARISONS[node.op](a, b))
        term = self.evaluate(node, env).term
        return term if isinstance(term, z3.BoolRef) else term != 0

    def evaluate(self, node, env: dict) -> Value:
        match node:
            case c_ast.Constant():
                text = node.value.rstrip("Ff") if not node.value.startswith("0x") else node.value
                number = Fraction(float.fromhex(text)) if text.startswith("0x") else Fraction(text)
                return Value(real(number), "float" if node.value.endswith("F") else node.type)
            case c_ast.ID():
                return env[node.name] if node.name in env else Value(real(self.unit.enumerators[node.name]), "int")
            case c_ast.Cast():
                return self.converted(node, self.evaluate(node.expr, env), self.unit.type_of(node.to_type))
            case c_ast.BinaryOp() if node.op in COMPARISONS or node.op in ("&&", "||"):
                return Value(self.condition(node, env), "bool")
            case c_ast.BinaryOp():
                return self.arithmetic(node, self.evaluate(node.left, env), self.evaluate(node.right, env))
            case c_ast.TernaryOp():
                return self.choice(node, env)
            case c_ast.FuncCall():
                return self.builtin(node, self.evaluate(node.args.exprs[0], env))
        raise NotImplementedError(type(node).__name__)

    def choice(self, node, env: dict) -> Value:
        condition = self.condition(node.cond, env)
        if z3.is_true(condition) or z3.is_false(condition):
            return self.evaluate(node.iftrue if z3.is_true(condition) else node.iffalse, env)
        yes = self.under([condition], node.iftrue, env)
        no = self.under([z3.Not(condition)], node.iffalse, env)
        return Value(z3.If(condition, yes.term, no.term), wider(yes, no))

    def arithmetic(self, node, a: Value, b: Value) -> Value:
        ctype = wider(a, b)
        match node.op:
            case "+":
                exact = a.term + b.term
            case "-":
                exact = a.term - b.term
            case "*":
                exact = a.term * b.term
            case "/":
                exact = self.rounding.quotient(a.term, b.term)
            case _:
                raise NotImplementedError(node.op)
        return self.rounding(id(node), ctype, exact)

    def builtin(self, node, x: Value) -> Value:
        match node.name.name:
            case "__builtin_fabs":
                return Value(absolute(x.term), x.type)
            case "__builtin_floor" | "__builtin_ceil":
                whole = self.rounding.fresh("whole")
                below = node.name.name == "__builtin_floor"
                self.rounding.facts += [whole <= x.term, whole > x.term - 1] if below else [whole >= x.term, whole < x.term + 1]
                return Value(whole, x.type)
        raise NotImplementedError(node.name.name)

    def converted(self, node, value: Value, ctype: str) -> Value:
        if ctype == "float" and value.type == "double":
            return self.rounding((id(node), "conversion"), "float", value.term)
        return Value(value.term, ctype)


def wider(a: Value, b: Value) -> str:
    return max(a.type, b.type, key=ORDER.index)


def taken(node: c_ast.Switch, enumerators: dict[str, int], mode: int) -> list:
    """The statements from the mode's label on, through all that follow."""
    labels = [enumerators[each.expr.name] for each in node.stmt.block_items]
    return [statement for each in node.stmt.block_items[labels.index(mode) :] for statement in each.stmts]


def unproved(rounding: Rounding, premises: list, goals: Iterable[tuple[str, z3.BoolRef]]) -> list[str]:
    """The statements that z3 does not prove."""
    solver = z3.SolverFor("QF_NRA")
    solver.set("timeout", TIMEOUT_MS)
    solver.add(*premises)
    if solver.check() != z3.sat:
        return ["the premises contradict each other"]
    solver.add(*rounding.facts)
    if solver.check() == z3.unsat:
        return ["the facts contradict each other"]
    failed = []
    for what, goal in [*rounding.duties, *goals]:
        solver.push()
        solver.add(z3.Not(goal))
        if solver.check() != z3.unsat:
            failed.append(what)
        solver.pop()
    return failed
