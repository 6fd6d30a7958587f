// SPDX-License-Identifier: Apache-2.0
// Changes that are compiled into one program and chosen by the environment variable TESELA_CHANGE. mutate.py writes the calls.
// Each notes where its result differs from the unchanged one, so that mutate.py knows which tests can notice it.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace switches {

/// Notes that change `n` makes a difference here. Returns whether it is on.
bool reached(int n);

/// `original`, or `other` if the change is on.
template <class T>
T choose(int n, T original, T other) {
  return original != other && reached(n) ? other : original;
}

/// A number, or the next one.
template <class T>
T number(int n, T original) {
  return reached(n) ? static_cast<T>(original + 1) : original;
}

/// A condition, or its contrary.
inline bool negated(int n, bool condition) {
  return reached(n) ? !condition : condition;
}

// `a < Less(7) < b` is a < b, or a <= b if the change 7 is on: these take the place of the operator, so that operands need not be
// found. Two overloads of the operator: the first keeps the left operand, the second compares.
template <class Change, class A>
struct Left {
  int n;
  A&& a;
};

#define SWITCHES_OPERATOR(Name, op)               \
  struct Name {                                   \
    int n;                                        \
    explicit Name(int number) : n(number) {}      \
  };                                              \
  template <class A>                              \
  Left<Name, A> operator op(A&& a, Name change) { \
    return {change.n, std::forward<A>(a)};        \
  }

#define SWITCHES_RELATION(Name, op, other_op)                    \
  SWITCHES_OPERATOR(Name, op)                                    \
  template <class A, class B>                                    \
  bool operator op(Left<Name, A> left, B&& b) {                  \
    return choose<bool>(left.n, left.a op b, left.a other_op b); \
  }

SWITCHES_RELATION(Less, <, <=)
SWITCHES_RELATION(LessEqual, <=, <)
SWITCHES_RELATION(Greater, >, >=)
SWITCHES_RELATION(GreaterEqual, >=, >)
SWITCHES_RELATION(Equal, ==, !=)
SWITCHES_RELATION(NotEqual, !=, ==)

#define SWITCHES_SUM(Name, op, other_op)                                                \
  SWITCHES_OPERATOR(Name, op)                                                           \
  template <class A, class B>                                                           \
  auto operator op(Left<Name, A> left, B&& b) {                                         \
    using Sum = decltype(left.a op b);                                                  \
    static_assert(                                                                      \
        requires { static_cast<Sum>(left.a other_op b); }, "it has no other operator"); \
    return reached(left.n) ? static_cast<Sum>(left.a other_op b) : left.a op b;         \
  }

SWITCHES_SUM(Plus, +, -)
SWITCHES_SUM(Minus, -, +)

/// An operand that is evaluated only if it counts.
template <class F>
struct Later {
  F value;
};
template <class F>
Later<F> later(F value) {
  return {std::move(value)};
}

struct ConditionLeft {
  int n;
  bool a;
};
struct And {
  int n;
  explicit And(int number) : n(number) {}
};
struct Or {
  int n;
  explicit Or(int number) : n(number) {}
};
template <class A>
ConditionLeft operator&&(A&& a, And change) {
  return {change.n, static_cast<bool>(a)};
}
template <class A>
ConditionLeft operator||(A&& a, Or change) {
  return {change.n, static_cast<bool>(a)};
}
template <class F>
bool operator&&(ConditionLeft left, Later<F> right) {
  if (left.a) return choose(left.n, right.value(), true);
  return reached(left.n) && right.value();  // of the right operand nothing is known, unless it is evaluated
}
template <class F>
bool operator||(ConditionLeft left, Later<F> right) {
  if (!left.a) return choose(left.n, right.value(), false);
  return !reached(left.n) || right.value();
}

template <class T>
T min_of(int n, const T& a, const T& b) {
  return choose<T>(n, std::min(a, b), std::max(a, b));
}
template <class T>
T max_of(int n, const T& a, const T& b) {
  return choose<T>(n, std::max(a, b), std::min(a, b));
}
template <class T>
T min_of(int n, std::initializer_list<T> all) {
  return choose<T>(n, std::min(all), std::max(all));
}
template <class T>
T max_of(int n, std::initializer_list<T> all) {
  return choose<T>(n, std::max(all), std::min(all));
}

}  // namespace switches

#define SWITCHES_RETURN_IF_ERROR(n, ...)                                                      \
  do {                                                                                        \
    if (auto status_ = (__VA_ARGS__); !status_.ok() && !switches::reached(n)) return status_; \
  } while (false)
