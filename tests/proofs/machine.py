# SPDX-License-Identifier: Apache-2.0
"""What the functions of the C form compute, as polynomials and conditions.

A Machine runs C symbolically. Division has C's meaning (towards zero). Every operation leaves a duty behind: that its result
fits its type, that a divisor is above 0, that a conversion keeps the value. A duty that is not proved is an error of the header.
"""

from __future__ import annotations

from dataclasses import dataclass

from c_form import COMPARISONS, Unit
from pycparser import c_ast
from terms import Atom, Joined, Poly, Prover, Truth, conjunction, disjunction, implication, negation, poly, product_rule, var

BITS = {"bool": 1, "int": 32, "int64_t": 64, "Int128": 128}


def most(ctype: str) -> int:
    return 2 ** (BITS[ctype] - 1) - 1


@dataclass
class Value:
    """term: a Poly, a condition, or a dict of the Values of a struct."""

    term: object
    type: str


@dataclass
class Outcome:
    """One way through statements. kind: next, break or return."""

    kind: str
    path: tuple
    env: dict
    value: Value | None = None


class Unsupported(Exception):
    pass


class Machine:
    """limit: what every arithmetic result must not exceed in magnitude, besides its type's range."""

    def __init__(self, unit: Unit, contracts: dict, facts=(), limit: Poly | None = None):
        self.unit = unit
        self.contracts = contracts
        self.limit = limit
        self.prover = Prover(facts)
        self.duties: list[tuple[str, object]] = []
        self.path: tuple = ()
        self.locals: dict[str, Poly] = {}  # the values of variables, for hints
        self.quotients: dict[str, Poly] = {}
        self.results: list = []  # of calls that were replaced by contracts
        self.choices: list[Poly] = []  # values that depend on the path
        self.called: set[str] = set()
        self.count = 0

    # ---- What is known ------------------------------------------------------------------------------------------

    def assume(self, *conditions) -> None:
        for condition in conditions:
            self.prover.add(implication(conjunction(*self.path), condition))

    def hint(self, *pairs) -> None:
        for x, y in pairs:
            self.prover.add(product_rule(poly(x), poly(y)))

    def require(self, what: str, condition) -> None:
        if condition is not True:
            self.duties.append((what, implication(conjunction(*self.path), condition)))

    def fresh(self, name: str) -> Poly:
        self.count += 1
        return var(f"{name}{self.count}")

    def decided(self, condition):
        """The condition, or True or False if what is known decides it."""
        if isinstance(condition, bool):
            return condition
        if self.prover.proves(implication(conjunction(*self.path), condition)):
            return True
        if self.prover.proves(implication(conjunction(*self.path), negation(condition))):
            return False
        return condition

    # ---- Functions ----------------------------------------------------------------------------------------------

    def call(self, name: str, *arguments, inlined: bool = False) -> Value:
        self.called.add(name)
        parameters = self.unit.parameters(name)
        values = [
            self.converted(self.as_value(given, ctype), ctype, f"argument of {name}")
            for given, (_, ctype) in zip(arguments, parameters, strict=True)
        ]
        contract = None if inlined else self.contracts.get(name)
        if contract is None:
            return self.run_body(name, dict(zip((each for each, _ in parameters), values)))
        return self.by_contract(name, contract, values)

    def by_contract(self, name: str, contract, values: list[Value]) -> Value:
        terms = [self.plain(value) for value in values]
        for what, condition in contract.requires(*terms, self.limit_of()):
            self.require(f"{name}: {what}", condition)
        result = self.unknown(self.unit.type_of(self.unit.functions[name].decl.type), name)
        self.assume(*contract.ensures(self.plain(result), *terms))
        self.results.append(result.term)
        return result

    def limit_of(self) -> Poly:
        return poly(most(self.unit.int_type)) if self.limit is None else self.limit

    def plain(self, value: Value):
        """A value without types: a term, or a dict of terms."""
        return {name: each.term for name, each in value.term.items()} if isinstance(value.term, dict) else value.term

    def unknown(self, ctype: str, name: str) -> Value:
        if ctype in self.unit.structs:
            return Value({member: self.unknown(kind, f"{name}.{member}.") for member, kind in self.unit.structs[ctype]}, ctype)
        if ctype == "bool":
            self.count += 1
            return Value(Truth(f"{name}{self.count}"), ctype)
        return Value(self.fresh(name + "_"), ctype)

    def as_value(self, given, ctype: str) -> Value:
        if isinstance(given, Value):
            return given
        if isinstance(given, dict):
            return Value({name: self.as_value(given[name], kind) for name, kind in self.unit.structs[ctype]}, ctype)
        return Value(given if ctype == "bool" else poly(given), ctype)

    def run_body(self, name: str, env: dict) -> Value:
        function = self.unit.functions[name]
        ctype = self.unit.type_of(function.decl.type)
        before = self.path
        outcomes = [each for each in self.run(function.body.block_items, env) if each.kind == "return"]
        results = []
        for each in outcomes:
            self.path = each.path
            results.append((each.path[len(before) :], self.converted(each.value, ctype, f"result of {name}")))
        self.path = before
        return self.merged(name, results, ctype)

    def merged(self, name: str, results: list, ctype: str) -> Value:
        """One value for the values of several paths."""
        if len(results) == 1:
            return results[0][1]
        if ctype in self.unit.structs:
            members = self.unit.structs[ctype]
            return Value(
                {m: self.merged(f"{name}.{m}.", [(path, value.term[m]) for path, value in results], kind) for m, kind in members},
                ctype,
            )
        whole = self.unknown(ctype, name)
        if isinstance(whole.term, Poly):
            self.choices.append(whole.term)
        for path, value in results:
            same = self.same(whole.term, value.term, ctype)
            self.assume(implication(conjunction(*path), same))
        return whole

    @staticmethod
    def same(a, b, ctype: str):
        return conjunction(implication(a, b), implication(b, a)) if ctype == "bool" else a == b

    # ---- Statements ---------------------------------------------------------------------------------------------

    def run(self, statements, env: dict) -> list[Outcome]:
        current = [Outcome("next", self.path, env)]
        ended = []
        for statement in statements or ():
            after = []
            for outcome in current:
                self.path = outcome.path
                for each in self.step(statement, dict(outcome.env)):
                    (after if each.kind == "next" else ended).append(each)
            current = after
        return current + ended

    def step(self, node, env: dict) -> list[Outcome]:
        path = self.path
        match node:
            case c_ast.Decl():
                ctype = self.unit.type_of(node)
                env[node.name] = self.initial(node.init, ctype, env)
                if isinstance(env[node.name].term, Poly):
                    self.locals[node.name] = env[node.name].term
            case c_ast.Return():
                return [Outcome("return", path, env, self.evaluate(node.expr, env))]
            case c_ast.Break():
                return [Outcome("break", path, env)]
            case c_ast.Compound():
                return self.run(node.block_items, env)
            case c_ast.If():
                return self.branch(node, env)
            case c_ast.Switch():
                return self.choose(node, env)
            case c_ast.Assignment() | c_ast.UnaryOp():
                self.assign(node, env)
            case _:
                raise Unsupported(type(node).__name__)
        return [Outcome("next", path, env)]

    def initial(self, node, ctype: str, env: dict) -> Value:
        if isinstance(node, c_ast.InitList):
            members = self.unit.structs[ctype]
            return Value(
                {
                    m: self.converted(self.evaluate(each, env), kind, m)
                    for each, (m, kind) in zip(node.exprs, members, strict=True)
                },
                ctype,
            )
        return self.converted(self.evaluate(node, env), ctype, "initial value")

    def branch(self, node, env: dict) -> list[Outcome]:
        path = self.path
        condition = self.decided(self.evaluate(node.cond, env).term)
        outcomes = []
        for taken, body in ((condition, node.iftrue), (negation(condition), node.iffalse)):
            if taken is False:
                continue
            self.path = path if taken is True else (*path, taken)
            outcomes += self.step(body, dict(env)) if body is not None else [Outcome("next", self.path, dict(env))]
        return outcomes

    def choose(self, node, env: dict) -> list[Outcome]:
        """A switch over a known value."""
        value = self.evaluate(node.cond, env).term.value
        if value is None:
            raise Unsupported("switch over an unknown value")
        cases = node.stmt.block_items
        labels = [self.evaluate(each.expr, env).term.value for each in cases]
        if value not in labels:
            return [Outcome("next", self.path, env)]
        statements = [each for case in cases[labels.index(value) :] for each in case.stmts or ()]
        outcomes = self.run(statements, env)
        return [Outcome("next", each.path, each.env) if each.kind == "break" else each for each in outcomes]

    def assign(self, node, env: dict) -> None:
        target = node.lvalue if isinstance(node, c_ast.Assignment) else node.expr
        old = self.evaluate(target, env)
        if isinstance(node, c_ast.UnaryOp):
            new = self.arithmetic({"--": "-", "++": "+"}[node.op], old, Value(poly(1), "int"))
        else:
            given = self.evaluate(node.rvalue, env)
            new = given if node.op == "=" else self.arithmetic(node.op[:-1], old, given)
        new = self.converted(new, old.type, "assignment")
        if isinstance(target, c_ast.StructRef):
            struct = env[target.name.name]
            env[target.name.name] = Value({**struct.term, target.field.name: new}, struct.type)
        else:
            env[target.name] = new

    # ---- Expressions --------------------------------------------------------------------------------------------

    def evaluate(self, node, env: dict) -> Value:
        match node:
            case c_ast.Constant():
                return Value(poly(int(node.value, 0)), "int")
            case c_ast.ID():
                return self.name(node.name, env)
            case c_ast.StructRef():
                return self.evaluate(node.name, env).term[node.field.name]
            case c_ast.Cast():
                return self.converted(self.evaluate(node.expr, env), self.unit.type_of(node.to_type.type), "cast")
            case c_ast.UnaryOp(op="-"):
                return self.arithmetic("-", Value(poly(0), "int"), self.evaluate(node.expr, env))
            case c_ast.UnaryOp(op="!"):
                return Value(negation(self.evaluate(node.expr, env).term), "bool")
            case c_ast.BinaryOp(op="&&" | "||"):
                return self.logical(node, env)
            case c_ast.BinaryOp():
                return self.binary(node.op, self.evaluate(node.left, env), self.evaluate(node.right, env))
            case c_ast.TernaryOp():
                return self.conditional(node, env)
            case c_ast.FuncCall(name=c_ast.ID(name="__builtin_mul_overflow")):
                return self.checked_product(node.args.exprs, env)
            case c_ast.FuncCall():
                return self.call(node.name.name, *(self.evaluate(each, env) for each in node.args.exprs))
        raise Unsupported(type(node).__name__)

    def name(self, name: str, env: dict) -> Value:
        if name in env:
            return env[name]
        if name in self.unit.enumerators:
            return Value(poly(self.unit.enumerators[name]), "int")
        constant = self.unit.constants[name]
        return self.converted(self.evaluate(constant.init, {}), self.unit.type_of(constant), name)

    def logical(self, node, env: dict) -> Value:
        left = self.evaluate(node.left, env).term
        is_and = node.op == "&&"
        if left is (not is_and):
            return Value(left, "bool")
        before = self.path
        self.path = (*before, left if is_and else negation(left))
        right = self.evaluate(node.right, env).term
        self.path = before
        return Value(conjunction(left, right) if is_and else disjunction(left, right), "bool")

    def conditional(self, node, env: dict) -> Value:
        condition = self.decided(self.evaluate(node.cond, env).term)
        if isinstance(condition, bool):
            return self.evaluate(node.iftrue if condition else node.iffalse, env)
        before = self.path
        results = []
        for taken, branch in ((condition, node.iftrue), (negation(condition), node.iffalse)):
            self.path = (*before, taken)
            results.append(((taken,), self.evaluate(branch, env)))
        self.path = before
        widest = max((value.type for _, value in results), key=BITS.get)
        return self.merged("choice", results, widest)

    def binary(self, op: str, a: Value, b: Value) -> Value:
        if op in COMPARISONS:
            return Value(COMPARISONS[op](a.term, b.term), "bool")
        return self.arithmetic(op, a, b)

    def arithmetic(self, op: str, a: Value, b: Value) -> Value:
        ctype = max("int", a.type, b.type, key=BITS.get)
        match op:
            case "+":
                term = a.term + b.term
            case "-":
                term = a.term - b.term
            case "*":
                term = a.term * b.term
            case "/":
                term = self.quotient(a.term, b.term)
            case "%":
                term = a.term - self.quotient(a.term, b.term) * b.term
            case "<<" if a.term.value is not None and b.term.value is not None:
                term = poly(a.term.value << b.term.value)
            case ">>" if b.term.value == BITS[ctype] - 1:  # all bits are the sign
                negative = self.decided(a.term < 0)
                term = (
                    poly(-negative)
                    if isinstance(negative, bool)
                    else self.merged(
                        "sign", [((a.term < 0,), Value(poly(-1), ctype)), ((a.term >= 0,), Value(poly(0), ctype))], ctype
                    ).term
                )
            case "&":  # with all ones or all zeros
                self.require("mask is 0 or -1", disjunction(b.term == 0, b.term == -1))
                term = (
                    a.term * -b.term
                    if b.term.value is not None
                    else self.merged("masked", [((b.term == -1,), a), ((b.term == 0,), Value(poly(0), ctype))], ctype).term
                )
            case _:
                raise Unsupported(f"operator {op}")
        if term.value is None or ctype != "int":
            self.fits(term, ctype, f"result of {op}")
        return Value(term, ctype)

    def fits(self, term: Poly, ctype: str, what: str) -> None:
        self.require(f"{what} fits {ctype}", conjunction(term >= -most(ctype) - 1, term <= most(ctype)))
        if self.limit is not None:
            self.require(f"{what} is within the limit", conjunction(term >= -self.limit, term <= self.limit))

    def quotient(self, a: Poly, b: Poly) -> Poly:
        """a / b in C: towards zero. Divisors here are above 0."""
        self.require("divisor is above 0", b >= 1)
        if a.value is not None and b.value is not None:
            magnitude = abs(a.value) // abs(b.value)
            return poly(magnitude if (a.value < 0) == (b.value < 0) else -magnitude)
        key = f"{sorted(a.terms.items())} / {sorted(b.terms.items())}"
        if key not in self.quotients:
            q = self.quotients[key] = self.fresh("quotient")
            self.assume(implication(a >= 0, conjunction(q * b >= 0, q * b <= a, a - q * b < b)))
            self.assume(implication(a <= 0, conjunction(q * b <= 0, q * b >= a, q * b - a < b)))
            self.hint((-1 - q, b), (q, b - 1), (q - 1, b), (-q, b - 1))
        return self.quotients[key]

    def checked_product(self, arguments, env: dict) -> Value:
        a, b = (self.evaluate(each, env) for each in arguments[:2])
        target = arguments[2].expr.name
        ctype = env[target].type
        product = self.fresh("product")
        fits = conjunction(a.term * b.term >= -most(ctype) - 1, a.term * b.term <= most(ctype))
        if fits is True:
            product = a.term * b.term
        self.assume(implication(fits, product == a.term * b.term))
        self.assume(product >= -most(ctype) - 1, product <= most(ctype))  # cut off otherwise
        env[target] = Value(product, ctype)
        return Value(negation(fits), "bool")

    def converted(self, value: Value, ctype: str, what: str) -> Value:
        if isinstance(value.term, dict) or value.type == ctype:
            return value
        if ctype == "bool":
            return Value(value.term if isinstance(value.term, (bool, Atom, Joined, Truth)) else value.term != 0, ctype)
        if BITS[ctype] < BITS[value.type] and isinstance(value.term, Poly):
            self.require(f"{what} fits {ctype}", conjunction(value.term >= -most(ctype) - 1, value.term <= most(ctype)))
        return Value(value.term, ctype)
