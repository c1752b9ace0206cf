// Errors as values. Three channels, never mixed: assert = a bug in Sinter; Error = the asset or the
// package cannot be made or read; Issue (issues.hpp) = it was made, but the user should know.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace sinter {

enum class ErrorKind {
    Usage,         // the caller asked for something that makes no sense
    Io,            // missing, unreadable or unwritable file, disk full
    InvalidInput,  // the content is wrong
    Internal,      // a broken promise inside Sinter that was caught
    Unsupported,   // well-formed, but needs something that this version does not have
    Limit,         // a memory, time or size limit was met
    Validation,    // a readable file that is not a correct package
};

// One failure, worded so that it makes one clear line: "where: message; remedy".
struct Error {
    ErrorKind kind = ErrorKind::Internal;
    std::string where{};     // file, then the place in it ("hero.glb: /accessors/3"); may be empty
    std::string message{};   // what is wrong, the value that was seen and the rule that it breaks
    std::string remedy{};    // what to do about it; may be empty
    std::uint16_t code = 0;  // number of the check that failed (cooker/issues.hpp, verify.hpp), or 0

    [[nodiscard]] std::string line() const {
        std::string text = where.empty() ? message : where + ": " + message;
        return remedy.empty() ? text : text + "; " + remedy;
    }
};

struct Unit {};  // the value of a Result that carries none

// Either a value or an Error. Reading the side that is not there is a bug (assert).
template <typename T = Unit>
class [[nodiscard]] Result {
public:
    // Implicit, so that functions return plain values and errors.
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(*-explicit-*)
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(*-explicit-*)

    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    [[nodiscard]] T& value() & {
        assert(ok());
        return *std::get_if<0>(&state_);
    }
    [[nodiscard]] const T& value() const& {
        assert(ok());
        return *std::get_if<0>(&state_);
    }
    [[nodiscard]] T&& value() && {
        assert(ok());
        return std::move(*std::get_if<0>(&state_));
    }
    [[nodiscard]] T& operator*() & { return value(); }
    [[nodiscard]] const T& operator*() const& { return value(); }
    [[nodiscard]] T&& operator*() && { return std::move(*this).value(); }
    [[nodiscard]] T* operator->() { return &value(); }
    [[nodiscard]] const T* operator->() const { return &value(); }

    [[nodiscard]] Error& error() & {
        assert(!ok());
        return *std::get_if<1>(&state_);
    }
    [[nodiscard]] const Error& error() const& {
        assert(!ok());
        return *std::get_if<1>(&state_);
    }
    [[nodiscard]] Error&& error() && {
        assert(!ok());
        return std::move(*std::get_if<1>(&state_));
    }

private:
    std::variant<T, Error> state_;
};

}  // namespace sinter

// Returns the error of a Result expression from the enclosing function, if it has one.
#define SINTER_TRY(expression)                                                                               \
    do {                                                                                                     \
        if (auto sinter_try_result = (expression); !sinter_try_result) {                                     \
            return std::move(sinter_try_result).error();                                                     \
        }                                                                                                    \
    } while (false)

// Declares `declaration` from the value of a Result expression, or returns its error.
#define SINTER_TRY_ASSIGN(declaration, expression)                                                           \
    SINTER_TRY_ASSIGN_AT(SINTER_CONCAT(sinter_result_, __LINE__), declaration, expression)
#define SINTER_TRY_ASSIGN_AT(result, declaration, expression)                                                \
    auto result = (expression);                                                                              \
    if (!(result)) {                                                                                         \
        return std::move(result).error();                                                                    \
    }                                                                                                        \
    declaration = *std::move(result)
#define SINTER_CONCAT(a, b) SINTER_CONCAT_IMPL(a, b)
#define SINTER_CONCAT_IMPL(a, b) a##b
