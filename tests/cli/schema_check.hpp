// Checks a JSON value against the part of JSON Schema that the files in schemas/ use.
#pragma once

#include "cli/json_reader.hpp"

#include <string>

namespace sinter::test {

// "" when `value` obeys the schema of this $id, else where and why not. References to other files of schemas/
// are followed by their $id. A keyword that this checker does not know is an error, so that none is ignored.
[[nodiscard]] std::string schema_problem(const JsonValue& value, const std::string& id);

// "" when every file in schemas/ has an absolute $id of its own and every $ref leads somewhere by RFC 3986.
[[nodiscard]] std::string schema_reference_problem();

}  // namespace sinter::test
