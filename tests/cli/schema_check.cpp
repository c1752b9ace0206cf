#include "schema_check.hpp"

#include "run_program.hpp"
#include "tests/paths.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

namespace sinter::test {
namespace {

const std::map<std::string, JsonValue>& schemas() {
    static const std::map<std::string, JsonValue> all = [] {
        std::map<std::string, JsonValue> loaded;
        for (const auto& entry : std::filesystem::directory_iterator(test::repository("schemas"))) {
            if (entry.path().extension() != ".json") continue;
            const auto root = parse_json(read_text(entry.path()), entry.path().string());
            if (!root.ok()) continue;
            if (const JsonValue* const id = root->find("$id")) loaded.emplace(id->text, *root);
        }
        return loaded;
    }();
    return all;
}

bool is_absolute(const std::string& uri) {
    static const std::regex with_scheme("[A-Za-z][A-Za-z0-9+.-]*:.+");
    return std::regex_match(uri, with_scheme);
}

struct Checker {
    std::string problem;

    bool fail(const std::string& where, const std::string& what) {
        problem = where + ": " + what;
        return false;
    }

    // RFC 3986, section 5.2.2: "#..." stays in the schema, and what has a scheme is an $id as it stands. A
    // relative reference would be merged with the base, so no schema is found under it.
    static const JsonValue* resolve(const std::string& reference, const std::string& id) {
        const std::size_t hash = reference.find('#');
        if (hash == std::string::npos) return nullptr;
        const std::string file = hash == 0 ? id : reference.substr(0, hash);
        if (!is_absolute(file)) return nullptr;
        const JsonValue* at = schemas().contains(file) ? &schemas().at(file) : nullptr;
        std::string rest = reference.substr(hash + 1);
        while (at && !rest.empty()) {
            const std::size_t end = std::min(rest.find('/', 1), rest.size());
            at = at->find(rest.substr(1, end - 1));
            rest = rest.substr(end);
        }
        return at;
    }

    static bool has_type(const JsonValue& value, const std::string& type) {
        switch (value.kind) {
        case JsonKind::Null: return type == "null";
        case JsonKind::Boolean: return type == "boolean";
        case JsonKind::String: return type == "string";
        case JsonKind::Array: return type == "array";
        case JsonKind::Object: return type == "object";
        case JsonKind::Number:
            return type == "number" ||
                   (type == "integer" && value.text.find_first_of(".eE") == std::string::npos);
        }
        return false;
    }

    // "type" is one name or a list of them.
    static bool has_one_type(const JsonValue& value, const JsonValue& type) {
        if (type.kind != JsonKind::Array) return has_type(value, type.text);
        return std::ranges::any_of(type.items,
                                   [&](const JsonValue& name) { return has_type(value, name.text); });
    }

    bool check_members(const JsonValue& value, const JsonValue& schema, const std::string& id,
                       const std::string& where) {
        const JsonValue* const properties = schema.find("properties");
        const JsonValue* const additional = schema.find("additionalProperties");
        if (const JsonValue* const required = schema.find("required")) {
            for (const JsonValue& key : required->items) {
                if (!value.find(key.text)) return fail(where, "'" + key.text + "' is missing");
            }
        }
        for (const JsonMember& member : value.members) {
            const JsonValue* const rule = properties ? properties->find(member.key) : nullptr;
            if (!rule && additional && additional->text == "false")
                return fail(where, "'" + member.key + "' is unknown");
            if (rule && !check(member.value.front(), *rule, id, where + "/" + member.key)) return false;
        }
        return true;
    }

    bool check_scalar(const JsonValue& value, const JsonValue& schema, const std::string& where) {
        if (const JsonValue* const rule = schema.find("const"); rule && rule->text != value.text) {
            return fail(where, "is not " + rule->text);
        }
        if (const JsonValue* const rule = schema.find("enum")) {
            const auto same = [&](const JsonValue& item) {
                return item.text == value.text && item.kind == value.kind;
            };
            if (std::ranges::none_of(rule->items, same))
                return fail(where, value.text + " is not in the enum");
        }
        if (const JsonValue* const rule = schema.find("minimum");
            rule && number_of(value) < number_of(*rule)) {
            return fail(where, value.text + " is too small");
        }
        if (const JsonValue* const rule = schema.find("exclusiveMinimum");
            rule && number_of(value) <= number_of(*rule)) {
            return fail(where, value.text + " is too small");
        }
        if (const JsonValue* const rule = schema.find("maximum");
            rule && number_of(value) > number_of(*rule)) {
            return fail(where, value.text + " is too large");
        }
        if (const JsonValue* const rule = schema.find("pattern");
            rule && !std::regex_search(value.text, std::regex(rule->text))) {
            return fail(where, value.text + " does not match");
        }
        return true;
    }

    bool check(const JsonValue& value, const JsonValue& schema, const std::string& id,
               const std::string& where) {
        static const std::set<std::string> known{"$schema",
                                                 "$id",
                                                 "$defs",
                                                 "$ref",
                                                 "title",
                                                 "description",
                                                 "type",
                                                 "properties",
                                                 "items",
                                                 "required",
                                                 "additionalProperties",
                                                 "const",
                                                 "enum",
                                                 "minimum",
                                                 "maximum",
                                                 "exclusiveMinimum",
                                                 "pattern",
                                                 "default",
                                                 "minLength",
                                                 "minItems",
                                                 "maxItems"};
        for (const JsonMember& member : schema.members) {
            if (!known.contains(member.key))
                return fail(where, "the checker does not know '" + member.key + "'");
        }
        if (const JsonValue* const reference = schema.find("$ref")) {
            const std::size_t hash = reference->text.find('#');
            const JsonValue* const target = resolve(reference->text, id);
            if (!target) return fail(where, "unknown reference " + reference->text);
            return check(value, *target, hash == 0 ? id : reference->text.substr(0, hash), where);
        }
        if (const JsonValue* const type = schema.find("type"); type && !has_one_type(value, *type)) {
            return fail(where, "is not of its type " + type->text);
        }
        if (const JsonValue* const least = schema.find("minItems");
            least && static_cast<double>(value.items.size()) < number_of(*least)) {
            return fail(where, "has too few items");
        }
        if (const JsonValue* const most = schema.find("maxItems");
            most && static_cast<double>(value.items.size()) > number_of(*most)) {
            return fail(where, "has too many items");
        }
        if (const JsonValue* const items = schema.find("items")) {
            for (std::size_t i = 0; i < value.items.size(); ++i) {
                if (!check(value.items[i], *items, id, where + "/" + std::to_string(i))) return false;
            }
        }
        return check_members(value, schema, id, where) && check_scalar(value, schema, where);
    }
};

// The first reference at or below `value` that leads nowhere.
std::string dangling_reference(const JsonValue& value, const std::string& id) {
    for (const JsonMember& member : value.members) {
        const JsonValue& inner = member.value.front();
        if (member.key == "$ref" && !Checker::resolve(inner.text, id)) return id + ": " + inner.text;
        if (std::string problem = dangling_reference(inner, id); !problem.empty()) return problem;
    }
    for (const JsonValue& item : value.items) {
        if (std::string problem = dangling_reference(item, id); !problem.empty()) return problem;
    }
    return {};
}

}  // namespace

std::string schema_reference_problem() {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::repository("schemas"))) {
        files += entry.path().extension() == ".json" ? 1U : 0U;
    }
    if (schemas().size() != files) return "a schema has no $id, or two have the same";
    for (const auto& [id, schema] : schemas()) {
        if (!is_absolute(id)) return id + " is not an absolute URI";
        if (std::string problem = dangling_reference(schema, id); !problem.empty()) return problem;
    }
    return {};
}

std::string schema_problem(const JsonValue& value, const std::string& id) {
    if (!schemas().contains(id)) return "no schema has the $id " + id;
    Checker checker;
    checker.check(value, schemas().at(id), id, "");
    return checker.problem;
}

}  // namespace sinter::test
